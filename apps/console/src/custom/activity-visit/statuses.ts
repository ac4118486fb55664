import { call } from '../../data/calls.ts'
import { answerOrKept } from '../../data/kept-answers.ts'
import type { ActivityStatus } from './visit-state.ts'

/** The statuses of the company; those seen last when there is no connection. */
export const activityStatuses = (): Promise<ActivityStatus[]> =>
  answerOrKept('activity-statuses', async () => (await call('activities.statuses')).data.activityStatuses as ActivityStatus[])

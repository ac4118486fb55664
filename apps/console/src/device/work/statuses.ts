import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { call } from '../../data/calls.ts'
import { answerOrKept } from '../../data/kept-answers.ts'
import type { Row } from '../../data/records.ts'

export interface ActivityStatus {
  Id: string
  name: string
  meaning: ActivityMeaning
}

/** The statuses of the company; those seen last when there is no connection. */
export const activityStatuses = (): Promise<ActivityStatus[]> =>
  answerOrKept('activity-statuses', async () => (await call('activities.statuses')).data.activityStatuses as ActivityStatus[])

/** The caller's own status at an activity: theirs among its agents, else that of the whole. */
export function ownMeaning(activity: Row, statuses: readonly ActivityStatus[], userId: string): ActivityMeaning {
  const own = list(activity.assignedUsers).find((agent) => agent.Id === userId)
  const statusId = own?.statusId ?? activity.statusId
  return (
    statuses.find((status) => status.Id === statusId)?.meaning ??
    statuses.find((status) => status.name === activity.status)?.meaning ??
    'open'
  )
}

const list = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])

import { call } from '../../data/calls.ts'
import type { KindAddition } from '../../offline/kinds.ts'
import { formatDateTime } from '../../view/formats.ts'
import { showVisit, type Visit } from './visit-change.ts'

const visitWords = ({ statusText, reason, deviceTime }: Visit): string =>
  [statusText, reason && `“${reason}”`, formatDateTime(deviceTime)].filter(Boolean).join(', ')

/** Activities on the device: an unsent visit shows as done, and photos are tied to their activity. */
export const activityAddition: KindAddition = {
  show: showVisit,
  callWords: (value) => visitWords(value as Visit),
  attach: async ({ ownerId, id }) => void (await call('activities.updateFiles', { body: { activityId: ownerId, newFiles: [id] } })),
}

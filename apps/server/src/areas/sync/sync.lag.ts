import { secondsHistogram } from '@outpost/platform/http/metrics'
import type { ChangeRecord, PushRequest, PushResult } from '@outpost/contract/sync/protocol'

/** From a minute to a week: an officer without a connection is normal, one who cannot send for days is not. */
const lag = secondsHistogram(
  'sync_lag_seconds',
  'Time from a change on a device to its place in the database',
  [1, 10, 60, 600, 3_600, 14_400, 43_200, 86_400, 259_200, 604_800],
)

/** Counts how old changes were that were taken now. Both moments are the device's own, so that a wrong clock does not matter. */
export function countLag({ changes, clientNow }: PushRequest, results: readonly PushResult[]): void {
  const taken = new Set(results.filter(({ status }) => status === 'applied' || status === 'merged').map(({ changeId }) => changeId))
  // What was taken is of the protocol's form; what lies beside it may be anything.
  for (const change of changes as (Partial<ChangeRecord> | null)[])
    if (change?.dateModified !== undefined && taken.has(change.changeId ?? ''))
      lag.observe(Math.max(0, (Date.parse(clientNow) - Date.parse(change.dateModified)) / 1_000))
}

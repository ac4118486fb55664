import { noFenceState, type DeviceFences } from './watch.ts'
import { keyOf, type Transition } from './transition.ts'

/** A crossing that is reported again within this time is a correction of the first; nobody is notified twice. */
const correctionMs = 120_000
/** Snapshots per device: one an hour for two days, so that a late batch rereads little. */
const snapshotGapMs = 3_600_000
const maxSnapshots = 48

/**
 * Changes to stored transitions: rows to insert, rows to mark as superseded, and rows that stay with other values (id and
 * acknowledgement kept, no notification).
 */
export interface Changes {
  insert: Transition[]
  retract: Transition[]
  correct: { from: Transition; to: Transition }[]
}

/** The latest snapshot before a time; the initial state when there is none. */
export function snapshotBefore(snapshots: readonly DeviceFences[], time: number): DeviceFences {
  return snapshots.reduce(
    (best, snapshot) =>
      snapshot.last && snapshot.last.time < time && snapshot.last.time > (best.last?.time ?? -Infinity) ? snapshot : best,
    noFenceState,
  )
}

/** The snapshots to store after a run with a given start and final state: later ones are invalid, one an hour stays. */
export function nextSnapshots(
  snapshots: readonly DeviceFences[],
  { from, now }: { from: DeviceFences; now: DeviceFences },
): DeviceFences[] {
  const since = from.last?.time ?? -Infinity
  const valid = snapshots.filter(({ last }) => last && last.time <= since).toSorted((a, b) => a.last!.time - b.last!.time)
  const newest = valid.at(-1)?.last?.time ?? -Infinity
  return now.last && now.last.time - newest >= snapshotGapMs ? [...valid, now].slice(-maxSnapshots) : valid
}

/** Compares stored with recomputed transitions and returns the changes. */
export function changesBetween(stored: readonly Transition[], fresh: readonly Transition[]): Changes {
  const isSame = (a: Transition, b: Transition) => keyOf(a) === keyOf(b) && JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
  const storedByKey = new Map(stored.map((transition) => [keyOf(transition), transition]))
  const freshKeys = new Map(fresh.map((transition) => [keyOf(transition), transition]))
  const insert = fresh.filter((transition) => {
    const old = storedByKey.get(keyOf(transition))
    return !old || !isSame(old, transition)
  })
  const retract = stored.filter((transition) => {
    const next = freshKeys.get(keyOf(transition))
    return !next || !isSame(transition, next)
  })
  return paired(insert, retract)
}

const contentOf = ({ until, window, confirmedAt, latitude, longitude }: Transition) => [
  until,
  window?.from,
  window?.to,
  confirmedAt,
  latitude,
  longitude,
]

/** Pairs each retracted transition with the nearest inserted one of its kind. */
function paired(insert: readonly Transition[], retract: readonly Transition[]): Changes {
  const open = new Set(insert)
  const correct: Changes['correct'] = []
  const gone = retract.filter((from) => {
    const [to] = [...open]
      .filter(
        ({ fenceId, kind, dwell, at }) =>
          fenceId === from.fenceId && kind === from.kind && dwell === from.dwell && Math.abs(at - from.at) <= correctionMs,
      )
      .toSorted((a, b) => Math.abs(a.at - from.at) - Math.abs(b.at - from.at))
    if (!to) return true
    open.delete(to)
    correct.push({ from, to })
    return false
  })
  return { insert: [...open], retract: gone, correct }
}

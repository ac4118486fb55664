import { changesBetween, nextSnapshots, snapshotBefore, type Changes } from './replay.ts'
import type { TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'
import { watchFences, type DeviceFences, type Watching } from './watch.ts'

/** The stored fence state of a device: the current state, and earlier snapshots for late positions. Plain data. */
export interface StoredFences {
  now: DeviceFences
  snapshots: readonly DeviceFences[]
}

export interface CatchUp {
  watching: Watching
  stored: StoredFences
  /** Time (epoch ms) of the earliest new or changed position. */
  since: number
  /** All positions of the device after a time, in order, as accepted by motion; in batches that fit into memory. */
  readPlaces(after: number): AsyncIterable<readonly TrackPoint[]>
  /** Stored transitions that were confirmed after a time. */
  readStored(after: number): Promise<readonly Transition[]>
}

/** The result. All positions after `after` were processed. */
export interface CatchUpResult {
  stored: StoredFences
  changes: Changes
  after: number
}

/**
 * Updates a device's fences after positions arrived in any order: new ones continue from the current state, late ones are replayed from
 * the last snapshot before them. Save the result in the transaction that read the state.
 */
export async function catchUpFences({ watching, stored, since, readPlaces, readStored }: CatchUp): Promise<CatchUpResult> {
  const { last } = stored.now
  const from = last && since > last.time ? stored.now : snapshotBefore(stored.snapshots, since)
  const after = from.last?.time ?? -Infinity
  const fresh: Transition[] = []
  let device = from
  for await (const places of readPlaces(after)) {
    const found = watchFences(watching, device, places)
    device = found.device
    fresh.push(...found.transitions)
  }
  return {
    after,
    stored: { now: device, snapshots: nextSnapshots(stored.snapshots, { from, now: device }) },
    changes: changesBetween(await readStored(after), fresh),
  }
}

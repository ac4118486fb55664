import { changesBetween, keepSnapshots, snapshotBefore, type Changes } from './replay.ts'
import type { TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'
import { watchFences, type DeviceFences, type Watching } from './watch.ts'

/** What is kept of a device between two runs: its state now, and states from before for late places. Plain data. */
export interface KeptFences { now: DeviceFences, snapshots: readonly DeviceFences[] }

export interface CatchUp {
  watching: Watching
  kept: KeptFences
  /** Time (epoch ms) of the earliest place that is new or changed. */
  since: number
  /** All places of the device after a time, in order of time, as motion accepted them; in pieces that fit into memory. */
  readPlaces(after: number): AsyncIterable<readonly TrackPoint[]>
  /** Stored transitions of the device that were confirmed after a time. */
  readStored(after: number): Promise<readonly Transition[]>
}

/** What became of it: places after `after` were gone through, all of them. */
export interface CaughtUp { kept: KeptFences, changes: Changes, after: number }

/**
 * Brings a device's fences up to date after places came, in whatever order: new ones go on from the state now, late
 * ones are replayed from the last snapshot before them. Save what comes back in the transaction that read.
 */
export async function catchUpFences({ watching, kept, since, readPlaces, readStored }: CatchUp): Promise<CaughtUp> {
  const { last } = kept.now
  const from = last && since > last.time ? kept.now : snapshotBefore(kept.snapshots, since)
  const after = from.last?.time ?? -Infinity
  const fresh: Transition[] = []
  let device = from
  for await (const places of readPlaces(after)) {
    const found = watchFences(watching, device, places)
    device = found.device
    fresh.push(...found.transitions)
  }
  return { after, kept: { now: device, snapshots: keepSnapshots(kept.snapshots, { from, now: device }) }, changes: changesBetween(await readStored(after), fresh) }
}

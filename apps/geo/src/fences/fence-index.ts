import type { Point } from '@outpost/rules/places/distance'
import Flatbush from 'flatbush'
import { compileShape, longitudeNear, type Box, type CompiledShape, type FenceShape } from './shape.ts'

/** How a fence is watched. Seconds; `dwells` are the durations that raise a dwell event. */
export interface FenceSettings {
  enterDelay: number
  exitDelay: number
  dwells: readonly number[]
  /** Report every pass through, even one that is short compared with the position error. */
  wantsCrossed: boolean
}

export const fenceDefaults: FenceSettings = { enterDelay: 0, exitDelay: 0, dwells: [], wantsCrossed: false }

/** A fence to watch. `since` is when it was drawn or linked (epoch ms); earlier positions are ignored. */
export interface Fence {
  id: string
  shape: FenceShape
  since: number
  settings: FenceSettings
}

export interface CompiledFence extends Fence {
  compiled: CompiledShape
}

/** A spatial index of a company's fences. */
export interface FenceIndex {
  fences: readonly CompiledFence[]
  byId: ReadonlyMap<string, CompiledFence>
  boxes: Flatbush | null
  owners: Uint32Array
}

/** Builds the index: 10,000 fences take some tens of milliseconds. A fence across the antimeridian is indexed on both sides of the map. */
export function indexFences(fences: readonly Fence[]): FenceIndex {
  const compiled = fences.map((fence): CompiledFence => ({ ...fence, compiled: compileShape(fence.shape) }))
  const placed = compiled.flatMap(({ compiled: { box } }, owner) => copiesOf(box).map((copy) => ({ copy, owner })))
  const byId = new Map(compiled.map((fence) => [fence.id, fence]))
  const owners = Uint32Array.from(placed, ({ owner }) => owner)
  if (placed.length === 0) return { fences: compiled, byId, boxes: null, owners }
  const boxes = new Flatbush(placed.length)
  for (const {
    copy: { west, south, east, north },
  } of placed)
    boxes.add(west, south, east, north)
  boxes.finish()
  return { fences: compiled, byId, boxes, owners }
}

/** The box within -180 to 180, and a second copy where it extends beyond. */
function copiesOf(box: Box): Box[] {
  const shift = 360 * Math.floor((box.west + 180) / 360)
  const first = { ...box, west: box.west - shift, east: box.east - shift }
  return first.east > 180 ? [first, { ...first, west: first.west - 360, east: first.east - 360 }] : [first]
}

/** Fences whose box intersects the path between two positions (or one position), among those linked to the device; each once. */
export function fencesAlong(index: FenceIndex, from: Point, to: Point, isLinked: (fenceId: string) => boolean): CompiledFence[] {
  if (!index.boxes) return []
  const start = longitudeNear(from.longitude, 0)
  const end = longitudeNear(to.longitude, start)
  const [south, north] = [Math.min(from.latitude, to.latitude), Math.max(from.latitude, to.latitude)]
  const [west, east] = [Math.min(start, end), Math.max(start, end)]
  const found = search(index, { west, south, east, north }, isLinked)
  if (west < -180) search(index, { west: west + 360, south, east: east + 360, north }, isLinked).forEach((fence) => found.add(fence))
  if (east > 180) search(index, { west: west - 360, south, east: east - 360, north }, isLinked).forEach((fence) => found.add(fence))
  return [...found]
}

function search(
  { boxes, owners, fences }: FenceIndex,
  { west, south, east, north }: Box,
  isLinked: (fenceId: string) => boolean,
): Set<CompiledFence> {
  const found = new Set<CompiledFence>()
  for (const at of boxes!.search(west, south, east, north)) {
    const fence = fences[owners[at]!]!
    if (isLinked(fence.id)) found.add(fence)
  }
  return found
}

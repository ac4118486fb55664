import { metresBetween } from './distance.ts'
import { oldAccuracy, type FixSource } from './fix-quality.ts'

/** Doubts about a position; each is a reason to check, none a reason to refuse. */
export const integrityFlags = ['teleport', 'identical', 'inaccurate', 'clock_skew'] as const
export type IntegrityFlag = (typeof integrityFlags)[number]

/** Limits of domain.md AGT-S1, and the number of equal consecutive fixes that no walking person produces. */
export const integrityLimits = { kmh: 200, identical: 10, skewMs: 600_000 } as const

export interface TrackPoint {
  latitude: number
  longitude: number
  accuracy: number | null
  source: FixSource
  at: number
}
/** `skewMs`: the device's clock minus the server's when the position was sent; undefined when unknown. */
export interface PositionCheck {
  point: TrackPoint
  earlier: readonly TrackPoint[]
  skewMs?: number | undefined
}

/** Returns the doubts about a position, given the user's earlier measured positions, newest last (the last ten are sufficient). */
export function checkPosition({ point, earlier, skewMs = 0 }: PositionCheck): IntegrityFlag[] {
  const flags: IntegrityFlag[] = []
  // A reused fix does not show where the device is now: only measured ones can jump or freeze.
  const measured = earlier.filter(({ source }) => source === 'live')
  if (point.source === 'live' && isTeleport(measured.at(-1), point)) flags.push('teleport')
  if (point.source === 'live' && isFrozen(measured, point)) flags.push('identical')
  if ((point.accuracy ?? 0) >= oldAccuracy) flags.push('inaccurate')
  if (Math.abs(skewMs) > integrityLimits.skewMs) flags.push('clock_skew')
  return flags
}

/** Faster than 200 km/h even if both errors shorten the distance. */
function isTeleport(last: TrackPoint | undefined, point: TrackPoint): boolean {
  if (!last || point.at < last.at) return false
  const metres = metresBetween(last, point) - (last.accuracy ?? 0) - (point.accuracy ?? 0)
  const hours = Math.max(point.at - last.at, 1_000) / 3_600_000
  return metres > 0 && metres / 1_000 / hours > integrityLimits.kmh
}

/** The same six decimals repeatedly: a real receiver has noise, a faked position does not. */
function isFrozen(measured: readonly TrackPoint[], point: TrackPoint): boolean {
  const before = measured.slice(-(integrityLimits.identical - 1))
  return (
    before.length === integrityLimits.identical - 1 &&
    before.every(({ latitude, longitude }) => latitude === point.latitude && longitude === point.longitude)
  )
}

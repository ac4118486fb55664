import { isPosition } from '../validation.ts'

/** How the place of a record was obtained: just measured, a fix under an hour old, a fix of 1 to 6 hours, or none. */
export const fixSources = ['live', 'cached', 'cached_old', 'none'] as const
export type FixSource = (typeof fixSources)[number]

/** Represents an unknown coordinate. */
export const noCoordinate = 999
/** Accuracy in metres that marks a fix of 1 to 6 hours. */
export const oldAccuracy = 9_999

/** A measured place: degrees, metres, metres a second, milliseconds since 1970 by the device's clock. */
export interface Fix {
  latitude: number
  longitude: number
  accuracy: number
  speed?: number | null
  at: number
}
/** A place in the form of a record; source none has 999 for both coordinates. */
export interface GradedFix {
  latitude: number
  longitude: number
  accuracy: number
  source: FixSource
  at: number
}

const hour = 3_600_000
/** A fix of the same moment: the browser returns one up to 5 s old as fresh. */
const freshFor = 15_000

/** The last fix in the form that a record made at `now` may use (specification 9): fresh, reused and marked so, or none. */
export function gradeLastFix(last: Fix | null | undefined, now: number): GradedFix {
  const none = { latitude: noCoordinate, longitude: noCoordinate, accuracy: oldAccuracy, source: 'none' as const, at: now }
  if (!last || !isPosition(last.latitude, last.longitude)) return none
  const { latitude, longitude, accuracy, at } = last
  const age = now - at
  if (age > 6 * hour) return none
  if (age >= hour) return { latitude, longitude, accuracy: oldAccuracy, source: 'cached_old', at }
  return { latitude, longitude, accuracy, source: age <= freshFor ? 'live' : 'cached', at }
}

/** The source a record may claim: the accuracy of 9999 reveals an old fix even where the sender does not state it. */
export function sourceOf({
  source,
  accuracy,
}: {
  source?: FixSource | null | undefined
  accuracy?: number | null | undefined
}): Exclude<FixSource, 'none'> {
  if ((accuracy ?? 0) >= oldAccuracy) return 'cached_old'
  return source === undefined || source === null || source === 'none' ? 'live' : source
}

/** The labels beside a place, so that a reused one is never taken for a fresh one. */
export const fixLabels: Readonly<Record<FixSource, string>> = {
  live: 'Live',
  cached: 'Last known, under 1 h old',
  cached_old: 'Old, 1 to 6 h',
  none: 'No position',
}

/** An older position is no longer live: it shows where somebody was. */
export const liveForMs = 15 * 60_000

/** The grade of a stored position for a viewer now: it ages from live to cached, to old, to none. */
export function gradeAt({ source, at }: { source: FixSource; at: number | null }, now: number): FixSource {
  if (source === 'none' || at === null || now - at > 6 * hour) return 'none'
  if (source === 'cached_old' || now - at >= hour) return 'cached_old'
  return source === 'cached' || now - at > liveForMs ? 'cached' : 'live'
}

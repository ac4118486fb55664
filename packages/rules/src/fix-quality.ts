import { isPosition } from './validation.ts'

/** How the place of a record was known: just measured, a fix under an hour old, one of 1 to 6 hours, or not at all. */
export const fixSources = ['live', 'cached', 'cached_old', 'none'] as const
export type FixSource = (typeof fixSources)[number]

/** What stands for a coordinate that is not known. */
export const noCoordinate = 999
/** Accuracy in metres that marks a fix of 1 to 6 hours. */
export const oldAccuracy = 9_999

/** A measured place: degrees, metres, metres a second, milliseconds since 1970 by the device's clock. */
export interface Fix { latitude: number, longitude: number, accuracy: number, speed?: number | null, at: number }
/** A place as a record carries it; a source of none has 999 for both coordinates. */
export interface GradedFix { latitude: number, longitude: number, accuracy: number, source: FixSource, at: number }

const hour = 3_600_000
/** A fix of the same moment: the browser hands out one up to 5 s old as fresh. */
const freshFor = 15_000

/** The last fix as a record made at `now` may use it (specification 9): fresh, reused and said so, or none. */
export function reuseFix(last: Fix | null | undefined, now: number): GradedFix {
  const none = { latitude: noCoordinate, longitude: noCoordinate, accuracy: oldAccuracy, source: 'none' as const, at: now }
  if (!last || !isPosition(last.latitude, last.longitude)) return none
  const { latitude, longitude, accuracy, at } = last
  const age = now - at
  if (age > 6 * hour) return none
  if (age >= hour) return { latitude, longitude, accuracy: oldAccuracy, source: 'cached_old', at }
  return { latitude, longitude, accuracy, source: age <= freshFor ? 'live' : 'cached', at }
}

/** The source a record may claim: the accuracy of 9999 tells an old fix even where the sender does not say. */
export function sourceOf({ source, accuracy }: { source?: FixSource | null | undefined, accuracy?: number | null | undefined }): Exclude<FixSource, 'none'> {
  if ((accuracy ?? 0) >= oldAccuracy) return 'cached_old'
  return source === undefined || source === null || source === 'none' ? 'live' : source
}

/** What people read beside a place, so that a reused one is never taken for a fresh one. */
export const fixLabels: Readonly<Record<FixSource, string>> = {
  live: 'Live', cached: 'Last known, under 1 h old', cached_old: 'Old, 1 to 6 h', none: 'No position',
}

/** Older than this, a position is no longer where somebody is but where they were. */
export const liveForMs = 15 * 60_000

/** What a stored position is worth to who looks at it now: it ages from live to cached, to old, to none. */
export function gradeAt({ source, at }: { source: FixSource, at: number | null }, now: number): FixSource {
  if (source === 'none' || at === null || now - at > 6 * hour) return 'none'
  if (source === 'cached_old' || now - at >= hour) return 'cached_old'
  return source === 'cached' || now - at > liveForMs ? 'cached' : 'live'
}

import type { BadReason } from './codec.ts'
import type { Attributes, Fix } from '../positions/fix.ts'

/** Code of a position that cannot be used, by the specification ("No position available" and its kin). */
export const noPositionCode = 101

export interface FixRefusal { code: typeof noPositionCode, field: 'position' | 'latitude' | 'longitude' | 'fixTime' | 'deviceTime', message: string }
/** A refused fix by its index in the list it stood in; `lost` is all of it, when not even its values are stored. */
export interface RefusedFix extends FixRefusal { index: number, lost?: Fix }

/** Why, in the word that the doctor counts by. */
export const lostReason = ({ field }: FixRefusal): BadReason => (field === 'fixTime' || field === 'deviceTime' ? 'clock' : 'place')

/**
 * A fix as it may be stored, or why not. A refused place may leave a `rest`: the same message without coordinates,
 * because an alarm or an ignition is worth keeping when the place is not.
 */
export type Verdict = { isAccepted: true, fix: Fix } | { isAccepted: false, refusal: FixRefusal, rest: Fix | null }

/** Milliseconds a device's clock may be ahead (Traccar's filter.future, too). */
export const mostAhead = 86_400_000
/** No device of ours is older; earlier times are clocks that were never set. */
export const earliestTime = Date.UTC(2000, 0, 1)
/** What stands for a coordinate that is not known. */
const noCoordinate = 999

/**
 * The one gate of every way in. Refused are 0/0, 999 and places off the globe, times over 24 h ahead of `now` (epoch
 * milliseconds) and clocks that were never set. A device that says itself that it has no fix is not refused: its 0/0
 * becomes no place. The accepted fix holds only what Postgres can store.
 */
export function validateFix(fix: Fix, now: number): Verdict {
  const late = judgeTime(fix.fixTime, 'fixTime', now) ?? judgeTime(fix.deviceTime, 'deviceTime', now)
  if (late) return { isAccepted: false, refusal: late, rest: null }
  const refusal = judgePlace(fix)
  if (!refusal) return { isAccepted: true, fix: storable(fix) }
  const rest = storable({ ...fix, latitude: null, longitude: null, isValid: false, altitude: null, speed: null, course: null, accuracy: null })
  if (!fix.isValid && refusal.field === 'position') return { isAccepted: true, fix: rest }
  return { isAccepted: false, refusal, rest: Object.keys(rest.attributes).length > 0 ? rest : null }
}

/**
 * Judges a list. `fixes` are those to store, what is left of refused ones at the end; `indexes` says where each stood
 * in the list.
 */
export function validateFixes(list: readonly Fix[], now: number): { fixes: Fix[], indexes: number[], refused: RefusedFix[] } {
  const good: { fix: Fix, index: number }[] = []
  const rests: { fix: Fix, index: number }[] = []
  const refused: RefusedFix[] = []
  list.forEach((fix, index) => {
    const verdict = validateFix(fix, now)
    if (verdict.isAccepted) good.push({ fix: verdict.fix, index })
    else refused.push({ index, ...verdict.refusal, ...(verdict.rest ? {} : { lost: fix }) })
    if (!verdict.isAccepted && verdict.rest) rests.push({ fix: verdict.rest, index })
  })
  const all = [...good, ...rests]
  return { fixes: all.map(({ fix }) => fix), indexes: all.map(({ index }) => index), refused }
}

function judgeTime(at: number, field: 'fixTime' | 'deviceTime', now: number): FixRefusal | null {
  if (!Number.isFinite(at)) return { code: noPositionCode, field, message: `${field} is not a time` }
  if (at > now + mostAhead) return { code: noPositionCode, field, message: `${field} lies more than 24 hours in the future` }
  if (at < earliestTime) return { code: noPositionCode, field, message: `${field} is before 2000: the clock of the device is not set` }
  return null
}

function judgePlace({ latitude, longitude }: Fix): FixRefusal | null {
  if (latitude === null && longitude === null) return null
  const none: FixRefusal = { code: noPositionCode, field: 'position', message: 'No position available' }
  // A vehicle may stand on the equator or at Greenwich, so one zero alone is a place.
  if ((latitude === 0 && longitude === 0) || latitude === noCoordinate || longitude === noCoordinate) return none
  if (latitude === null || longitude === null || Number.isNaN(latitude) || Number.isNaN(longitude)) return none
  if (Math.abs(latitude) > 90) return { code: noPositionCode, field: 'latitude', message: 'latitude must be between -90 and 90' }
  if (Math.abs(longitude) > 180) return { code: noPositionCode, field: 'longitude', message: 'longitude must be between -180 and 180' }
  return null
}

function storable(fix: Fix): Fix {
  return {
    ...fix,
    fixTime: Math.trunc(fix.fixTime), deviceTime: Math.trunc(fix.deviceTime),
    altitude: fitting(fix.altitude), speed: notNegative(fix.speed), course: turn(fix.course), accuracy: notNegative(fix.accuracy),
    attributes: storableAttributes(fix.attributes),
  }
}

/** Columns of these are `real`, which takes neither what is greater nor what is nearer to zero. */
function fitting(value: number | null): number | null {
  if (value === null || !Number.isFinite(value) || Math.abs(value) > 1e9) return null
  return Math.abs(value) < 1e-6 ? 0 : value
}
const notNegative = (value: number | null) => (value !== null && value >= 0 ? fitting(value) : null)
const turn = (value: number | null) => (value !== null && value >= 0 && Number.isFinite(value) ? fitting(value % 360) : null)

/** A message may carry this much; more is cut and says so. */
const mostAttributes = 200
const longestText = 8_000

/** Numbers that are none are left out; texts lose what a jsonb column refuses. The same object when nothing is amiss. */
export function storableAttributes(attributes: Attributes): Attributes {
  const entries = Object.entries(attributes)
  if (entries.length <= mostAttributes && entries.every(isStorable)) return attributes
  const isLong = entries.length > mostAttributes
  const kept = (isLong ? entries.slice(0, mostAttributes - 1) : entries).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value))
    .map(([key, value]): [string, Attributes[string]] => [storableText(key), typeof value === 'string' ? storableText(value) : value])
  return { ...Object.fromEntries(kept), ...(isLong ? { attributesCut: entries.length - mostAttributes + 1 } : {}) }
}

const isStorable = ([key, value]: [string, Attributes[string]]) =>
  storableText(key) === key && (typeof value === 'string' ? storableText(value) === value : typeof value === 'boolean' || Number.isFinite(value))

/**
 * Text without NUL and half characters (one of them makes Postgres refuse the whole row), and not endless: what is
 * longer than 8,000 characters ends with an ellipsis.
 */
export function storableText(text: string): string {
  const whole = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
  return (whole.includes('\0') ? whole.replaceAll('\0', '') : whole).toWellFormed()
}

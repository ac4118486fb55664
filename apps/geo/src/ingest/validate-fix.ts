import type { BadReason } from './codec.ts'
import type { Attributes, Fix } from '../positions/fix.ts'

/** Code of an unusable position, by the specification ("No position available" and similar). */
export const noPositionCode = 101

export interface FixRefusal {
  code: typeof noPositionCode
  field: 'position' | 'latitude' | 'longitude' | 'fixTime' | 'deviceTime'
  message: string
}
/** A refused fix by its index in its list; `lost` is the whole fix, when not even its values are stored. */
export interface RefusedFix extends FixRefusal {
  index: number
  lost?: Fix
}

/** The reason under which the doctor counts it. */
export const lostReason = ({ field }: FixRefusal): BadReason => (field === 'fixTime' || field === 'deviceTime' ? 'clock' : 'place')

/**
 * A fix that may be stored, or the reason why not. A refused place may leave a `rest`: the same message without coordinates, because an
 * alarm or an ignition is worth storing without its place.
 */
export type Verdict = { isAccepted: true; fix: Fix } | { isAccepted: false; refusal: FixRefusal; rest: Fix | null }

/** How far a device's clock may be ahead (also Traccar's filter.future). */
export const maxAheadMs = 86_400_000
/** No device is older; earlier times come from clocks that were never set. */
export const earliestTime = Date.UTC(2000, 0, 1)
/** Stands for an unknown coordinate. */
const noCoordinate = 999

/**
 * The only validation for every protocol. Refuses 0/0, 999 and places off the globe, times over 24 h ahead of `now` (epoch milliseconds)
 * and clocks that were never set. A device that itself reports no fix is not refused: its 0/0 becomes no place. The accepted fix
 * contains only what Postgres can store.
 */
export function validateFix(fix: Fix, now: number): Verdict {
  const late = validateTime(fix.fixTime, 'fixTime', now) ?? validateTime(fix.deviceTime, 'deviceTime', now)
  if (late) return { isAccepted: false, refusal: late, rest: null }
  const refusal = validatePlace(fix)
  if (!refusal) return { isAccepted: true, fix: storable(fix) }
  const rest = storable({
    ...fix,
    latitude: null,
    longitude: null,
    isValid: false,
    altitude: null,
    speed: null,
    course: null,
    accuracy: null,
  })
  if (!fix.isValid && refusal.field === 'position') return { isAccepted: true, fix: rest }
  return { isAccepted: false, refusal, rest: Object.keys(rest.attributes).length > 0 ? rest : null }
}

/**
 * Validates a list. `fixes` are those to store, with the rests of refused ones at the end; `indexes` gives the position of each in the
 * list.
 */
export function validateFixes(list: readonly Fix[], now: number): { fixes: Fix[]; indexes: number[]; refused: RefusedFix[] } {
  const good: { fix: Fix; index: number }[] = []
  const rests: { fix: Fix; index: number }[] = []
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

function validateTime(at: number, field: 'fixTime' | 'deviceTime', now: number): FixRefusal | null {
  if (!Number.isFinite(at)) return { code: noPositionCode, field, message: `${field} is not a time` }
  if (at > now + maxAheadMs) return { code: noPositionCode, field, message: `${field} lies more than 24 hours in the future` }
  if (at < earliestTime) return { code: noPositionCode, field, message: `${field} is before 2000: the clock of the device is not set` }
  return null
}

function validatePlace({ latitude, longitude }: Fix): FixRefusal | null {
  if (latitude === null && longitude === null) return null
  const none: FixRefusal = { code: noPositionCode, field: 'position', message: 'No position available' }
  // A vehicle may be on the equator or at Greenwich, so a single zero is a place.
  if ((latitude === 0 && longitude === 0) || latitude === noCoordinate || longitude === noCoordinate) return none
  if (latitude === null || longitude === null || Number.isNaN(latitude) || Number.isNaN(longitude)) return none
  if (Math.abs(latitude) > 90) return { code: noPositionCode, field: 'latitude', message: 'latitude must be between -90 and 90' }
  if (Math.abs(longitude) > 180) return { code: noPositionCode, field: 'longitude', message: 'longitude must be between -180 and 180' }
  return null
}

function storable(fix: Fix): Fix {
  return {
    ...fix,
    fixTime: Math.trunc(fix.fixTime),
    deviceTime: Math.trunc(fix.deviceTime),
    altitude: fitsReal(fix.altitude),
    speed: notNegative(fix.speed),
    course: turn(fix.course),
    accuracy: notNegative(fix.accuracy),
    attributes: storableAttributes(fix.attributes),
  }
}

/** These columns are `real`, which accepts neither greater values nor values nearer to zero. */
function fitsReal(value: number | null): number | null {
  if (value === null || !Number.isFinite(value) || Math.abs(value) > 1e9) return null
  return Math.abs(value) < 1e-6 ? 0 : value
}
const notNegative = (value: number | null) => (value !== null && value >= 0 ? fitsReal(value) : null)
const turn = (value: number | null) => (value !== null && value >= 0 && Number.isFinite(value) ? fitsReal(value % 360) : null)

/** A message may carry this much; more is truncated and marked. */
const maxAttributes = 200
const maxText = 8_000

/** Drops NaN and infinite numbers and removes from texts what a jsonb column refuses. Returns the same object when nothing changes. */
export function storableAttributes(attributes: Attributes): Attributes {
  const entries = Object.entries(attributes)
  if (entries.length <= maxAttributes && entries.every(isStorable)) return attributes
  const isLong = entries.length > maxAttributes
  const kept = (isLong ? entries.slice(0, maxAttributes - 1) : entries)
    .filter(([, value]) => typeof value !== 'number' || Number.isFinite(value))
    .map(([key, value]): [string, Attributes[string]] => [storableText(key), typeof value === 'string' ? storableText(value) : value])
  return { ...Object.fromEntries(kept), ...(isLong ? { attributesCut: entries.length - maxAttributes + 1 } : {}) }
}

const isStorable = ([key, value]: [string, Attributes[string]]) =>
  storableText(key) === key &&
  (typeof value === 'string' ? storableText(value) === value : typeof value === 'boolean' || Number.isFinite(value))

/**
 * Text without NUL and lone surrogates (one of them makes Postgres refuse the whole row), at most 8,000 characters; longer text ends
 * with an ellipsis.
 */
export function storableText(text: string): string {
  const whole = text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
  return (whole.includes('\0') ? whole.replaceAll('\0', '') : whole).toWellFormed()
}

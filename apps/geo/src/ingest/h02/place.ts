import type { Attributes, Fix } from '../../positions/fix.ts'
import { withoutRollover } from '../rollover.ts'

export const kphPerKnot = 1.852

/** `hhmmss` and `ddmmyy` in UTC as epoch milliseconds; null for a missing or impossible date. */
export function timeOf(clock: string | undefined, day: string | undefined, now: number): number | null {
  if (!/^\d{6}$/.test(clock ?? '') || !/^\d{6}$/.test(day ?? '')) return null
  const [hour, minute, second] = pairs(clock)
  const [date, month, year] = pairs(day)
  const time = Date.UTC(2000 + year, month - 1, date, hour, minute, second)
  const back = new Date(time)
  const isTime = back.getUTCMonth() === month - 1 && back.getUTCDate() === date && hour < 24 && minute < 60
  return isTime && second < 70 ? withoutRollover(time, now) : null
}

function pairs(digits = ''): [number, number, number] {
  return [Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6))]
}

/** Degrees of `ddmm.mmmm`, of the same without its dot, or of `-dd-mm.mmmm`; south and west are negative. Null for any other form. */
export function degreesOf(text: string, hemisphere: string): number | null {
  const found = /^-?(\d+)-(\d+\.?\d*)$/.exec(text) ?? /^(\d*)(\d\d\.\d+)$/.exec(text) ?? /^(\d+)(\d\d\d{4})$/.exec(text)
  if (!found) return null
  const minutes = text.includes('.') ? Number(found[2]) : Number(found[2]) / 10_000
  const degrees = Number(found[1]) + minutes / 60
  if (minutes >= 60 || degrees > 180) return null
  return hemisphere === 'S' || hemisphere === 'W' ? 0 - degrees : degrees
}

/** A fix from its parts; 0/0 without a fix is no place. Speed is in knots. */
export function fixOf(parts: {
  time: number
  latitude: number | null
  longitude: number | null
  isValid: boolean
  knots?: number | null
  course?: number | null
  altitude?: number | null
  attributes: Attributes
}): Fix {
  const { time, latitude, longitude, isValid } = parts
  const isPlace = latitude !== null && longitude !== null && Math.abs(latitude) <= 90 && (isValid || latitude !== 0 || longitude !== 0)
  return {
    fixTime: time,
    deviceTime: time,
    latitude: isPlace ? latitude : null,
    longitude: isPlace ? longitude : null,
    isValid: isValid && isPlace,
    altitude: parts.altitude ?? null,
    speed: parts.knots == null ? null : parts.knots * kphPerKnot,
    course: parts.course ?? null,
    accuracy: null,
    attributes: parts.attributes,
  }
}

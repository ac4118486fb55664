import type { Attributes } from '../positions/fix.ts'

/** Wire units in km/h; after the codecs all values are SI and km/h. */
export const kphOf = { kn: 1.852, mps: 3.6, mph: 1.609_344, kmh: 1 } as const
export type SpeedUnit = keyof typeof kphOf

/** Rounds away the floating-point error of the multiplication. */
export function toKph(speed: number | null, unit: SpeedUnit): number | null {
  return speed === null || !Number.isFinite(speed) || speed < 0 ? null : Math.round(speed * kphOf[unit] * 1e6) / 1e6
}

/** The first number that can only be milliseconds (Traccar's own threshold); smaller ones are seconds. */
const firstMilliseconds = 2_147_483_647
const written = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s?(Z|[+-]?\d{2}:?\d{2})?$/i

/**
 * Parses a time as devices write it: seconds or milliseconds, ISO 8601, or `yyyy-MM-dd HH:mm:ss`. Returns epoch milliseconds. Without a
 * zone it is UTC, whatever the server's zone. Accepts a `+` that a query turned into a space. Null when it is not a time.
 */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return fromNumber(Number(text))
  const parts = written.exec(text)
  if (!parts) return null
  const [, day = '', clock = '', fraction = '', zone = 'Z'] = parts
  const sign = /^\d/.test(zone) ? '+' : ''
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${sign}${zone.includes(':') ? zone : `${zone.slice(0, -2)}:${zone.slice(-2)}`}`
  const at = Date.parse(`${day}T${clock}.000${offset}`.replace(/T(\d{2}:\d{2})\./, 'T$1:00.'))
  if (Number.isNaN(at) || !isDay(day)) return null
  return at + Math.trunc(Number(`0.${fraction === '' ? '0' : fraction}`) * 1_000)
}

const fromNumber = (value: number) => {
  if (!Number.isFinite(value) || value < 0) return null
  return Math.trunc(value < firstMilliseconds ? value * 1_000 : value)
}

/** Date.parse turns 31 February into a day in March. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

/** Parses a decimal number from text or JSON; null for anything else, including hex, Infinity and empty text. */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  // The pattern is unambiguous per digit, so a long run of digits that is no number fails in linear time.
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text)) ? Number(text) : null
}

/** Parses true and false as devices write them; null when it is neither. */
export function readFlag(value: unknown): boolean | null {
  if (value === true || value === 1) return true
  if (value === false || value === 0) return false
  if (typeof value !== 'string') return null
  const text = value.trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

/** Parses the value of a free attribute from text: number, true or false, else text. Card numbers keep their zeros. */
export function readAttribute(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.length <= 15
  return isNumber ? Number(text) : text
}

/** Attributes of a JSON object: plain values unchanged, lists and objects as JSON text, null omitted. */
export function readAttributes(value: unknown): Attributes {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([key, one]) => [key, typeof one === 'object' ? JSON.stringify(one) : (one as string | number | boolean)]),
  )
}

/** The entries with a known value. */
export function known(pairs: Record<string, string | number | boolean | null | undefined>): Attributes {
  return Object.fromEntries(
    Object.entries(pairs).filter((pair): pair is [string, string | number | boolean] => pair[1] !== null && pair[1] !== undefined),
  )
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

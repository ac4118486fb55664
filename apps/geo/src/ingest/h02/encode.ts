import type { Fix } from '../../positions/fix.ts'
import { kphPerKnot } from './place.ts'

/** A fix as a sentence V1: whole seconds, 1/10,000 minute, hundredths of a knot, whole degrees; of the attributes `status` (eight hex digits when given, else made of `ignition`). */
export function h02Sentence(uniqueId: string, fix: Fix): Uint8Array {
  const { clock, day } = stampOf(fix.fixTime)
  const knots = ((fix.speed ?? 0) / kphPerKnot).toFixed(2).padStart(6, '0')
  const place = [
    minutesOf(fix.latitude, 2, '.'),
    (fix.latitude ?? 0) < 0 ? 'S' : 'N',
    minutesOf(fix.longitude, 3, '.'),
    (fix.longitude ?? 0) < 0 ? 'W' : 'E',
  ]
  const fields = [clock, fix.isValid ? 'A' : 'V', ...place, knots, courseOf(fix), day, statusOf(fix).toUpperCase()]
  return new TextEncoder().encode(`*HQ,${uniqueId},V1,${fields.join(',')}#`)
}

/** A fix as a binary message of 32 bytes (identity of ten digits): whole knots; of the attributes `ignition`. */
export function h02Binary(uniqueId: string, fix: Fix): Uint8Array {
  const { clock, day } = stampOf(fix.fixTime)
  const flags = ((fix.longitude ?? 0) < 0 ? 0 : 8) | ((fix.latitude ?? 0) < 0 ? 0 : 4) | (fix.isValid ? 2 : 0)
  const knots = String(Math.min(999, Math.round((fix.speed ?? 0) / kphPerKnot))).padStart(3, '0')
  const digits = [
    '24',
    uniqueId,
    clock,
    day,
    minutesOf(fix.latitude, 2, ''),
    '00',
    minutesOf(fix.longitude, 3, ''),
    flags.toString(16),
    knots,
    courseOf(fix),
    statusOf(fix),
    '000000',
  ]
  return new Uint8Array(Buffer.from(digits.join(''), 'hex'))
}

function stampOf(time: number): { clock: string; day: string } {
  const digits = new Date(time).toISOString().replaceAll(/\D/g, '')
  return { clock: digits.slice(8, 14), day: digits.slice(6, 8) + digits.slice(4, 6) + digits.slice(2, 4) }
}

/** Degrees as whole degrees and minutes with four decimals. */
function minutesOf(degrees: number | null, width: number, dot: string): string {
  const units = Math.round(Math.abs(degrees ?? 0) * 600_000)
  const rest = String(units % 600_000).padStart(6, '0')
  return String(Math.floor(units / 600_000)).padStart(width, '0') + rest.slice(0, 2) + dot + rest.slice(2)
}

function courseOf(fix: Fix): string {
  return String(Math.round(fix.course ?? 0) % 360).padStart(3, '0')
}

/** All bits high means no alarm and ignition on; bit 10 low is ignition off. */
function statusOf(fix: Fix): string {
  return fix.attributes.ignition === false ? 'fffffbff' : 'ffffffff'
}

import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import { chance, journeyOn, momentOf, switchesBetween, type Journey } from './journey.ts'
import { placeOn, roadPaths } from './roads.ts'

export const protocols = ['teltonika', 'gt06', 'osmand', 'h02'] as const
export type Protocol = (typeof protocols)[number]

/**
 * A simulated device in a simulated vehicle. Its reports depend only on its number and the time, so they are the same for everybody who
 * asks.
 */
export interface Vehicle {
  number: number
  uniqueId: string
  protocol: Protocol
  name: string
  journey: Journey
}

/** Of five vehicles two have a Teltonika, one a GT06, one an H02 and one a phone with Traccar Client. */
export function vehicleOf(number: number): Vehicle {
  const protocol = ([...protocols, 'teltonika'] as const)[number % 5] ?? 'teltonika'
  const way = roadPaths[number % roadPaths.length] as (typeof roadPaths)[number]
  const letter = String.fromCodePoint(65 + (number % 26))
  return {
    number,
    protocol,
    uniqueId: identityOf(number, protocol),
    name: `KD${letter} ${String(101 + ((number * 37) % 899))}${letter}`,
    journey: journeyOn(way, number + 1),
  }
}

/** Phones have eight digits, H02 devices ten, all others an IMEI. */
function identityOf(number: number, protocol: Protocol): string {
  if (protocol === 'osmand') return String(40_000_000 + number)
  return protocol === 'h02' ? String(6_000_000_000 + number) : imeiOf(number)
}

/** An IMEI with its check digit (Luhn), of an unassigned type. */
export function imeiOf(number: number): string {
  const digits = `3500000${String(number).padStart(7, '0')}`
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? Number(digit) : ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)] ?? 0)),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** A parked device reports this many times less often. */
const parkedFactor = 30

/** All reports after `from` and up to `to`, oldest first: at an interval in ms while the engine is on, and when it is switched. */
export function reportsBetween(vehicle: Vehicle, { from, to, every }: { from: number; to: number; every: number }): Fix[] {
  const switches = switchesBetween(vehicle.journey, from, to)
  const fixes = switches.map((time) => reportOf(vehicle, time, 239))
  for (let tick = Math.floor(from / every) + 1; tick * every <= to; tick++) {
    const isParked = momentOf(vehicle.journey, tick * every).phase.kind === 'park'
    if ((!isParked || tick % parkedFactor === 0) && !switches.includes(tick * every)) fixes.push(reportOf(vehicle, tick * every))
  }
  return fixes.toSorted((a, b) => a.fixTime - b.fixTime)
}

function reportOf({ journey, number }: Vehicle, time: number, event?: number): Fix {
  const { phase, metres, speed, total } = momentOf(journey, time)
  const { latitude, longitude, course } = placeOn(journey.way, metres)
  const luck = (salt: number) => chance(number + 17, time / 1000 + salt * 1e6)
  const ignition = phase.kind !== 'park'
  const shaken = (degrees: number, salt: number) => Math.round((degrees + (luck(salt) + luck(salt + 1) - 1) * 4e-5) * 1e7) / 1e7
  const braked = phase.kind === 'drive' && speed > 12 && luck(9) < 0.002
  return {
    fixTime: time,
    deviceTime: time,
    latitude: shaken(latitude, 1),
    longitude: shaken(longitude, 3),
    isValid: true,
    altitude: 1620 + Math.round(40 * Math.sin(metres / 3000)),
    speed: Math.round(speed * 3.6),
    course,
    accuracy: null,
    attributes: {
      sat: 8 + Math.floor(luck(5) * 7),
      ...(event && { event }),
      hdop: Math.round(6 + luck(6) * 6) / 10,
      rssi: 2 + Math.floor(luck(7) * 4),
      ignition,
      motion: speed > 0,
      power: Math.round((ignition ? 14.1 : 12.5) * 1000 + luck(8) * 200) / 1000,
      battery: 4.08,
      odometer: Math.round(total),
      ...(braked && { alarm: 'hardBraking' }),
    },
  }
}

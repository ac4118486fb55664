import { describe, expect, it } from 'vitest'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { metresOf, motionOf } from '../../apps/geo/src/motion/motion.ts'
import type { Point } from '../../apps/geo/src/motion/point.ts'
import { reportsBetween, vehicleOf } from '../../scripts/simulate/vehicle.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const day = 86_400_000
/** Of a stop that began later nobody can be certain yet. */
const surely = 20 * 60_000

/** What a tracker sends of its day, as it is read at the other end. */
function dayOf(number: number, every: number): Fix[] {
  const reports = reportsBetween(vehicleOf(number), { from: now - day, to: now, every })
  const packets = Array.from({ length: Math.ceil(reports.length / 25) }, (_, packet) =>
    encodePacket(reports.slice(packet * 25, packet * 25 + 25)),
  )
  return teltonika.read(Buffer.concat(packets), now).frames.flatMap(({ message }) => (message.kind === 'fixes' ? message.fixes : []))
}

const pointOf = ({ fixTime, attributes: { ignition, sat, hdop, odometer }, ...fix }: Fix): Point => ({
  ...fix,
  time: fixTime,
  ignition: ignition as boolean,
  satellites: Number(sat),
  hdop: Number(hdop),
  odometer: Number(odometer),
})

/** The journey is known to the metre and the second, so it judges the trips that are made of its noisy reports. */
describe('a day of a simulated vehicle, through the bytes of a Teltonika to its trips', () => {
  it.each([0, 1, 2, 3, 4, 5, 6].flatMap((number) => [5_000, 30_000].map((every) => [number, every] as const)))(
    'vehicle %i, every %i ms: kilometres, arrivals and engine are those of its journey',
    (number, every) => {
      const fixes = dayOf(number, every)
      const rows = motionOf(fixes.map(pointOf))
      const driven = Number(fixes.at(-1)?.attributes.odometer) - Number(fixes[0]?.attributes.odometer)
      expect(Math.abs(metresOf(rows) / driven - 1)).toBeLessThan(0.005)

      const switchedOff = fixes
        .filter(({ attributes }) => attributes.event === 239 && attributes.ignition === false)
        .map(({ fixTime }) => fixTime)
      const arrivals = rows.trips.filter(({ isOpen }) => !isOpen).map(({ end }) => end.time)
      for (const time of switchedOff.filter((off) => now - off > surely))
        expect(Math.min(...arrivals.map((end) => Math.abs(end - time))), new Date(time).toISOString()).toBeLessThanOrEqual(every)
      expect(switchedOff.length).toBeGreaterThan(5)
      expect(rows.sessions.filter(({ isOpen }) => !isOpen)).toHaveLength(switchedOff.length)
      expect(rows.trips.every(({ isTowed }) => !isTowed)).toBe(true)
    },
  )
})

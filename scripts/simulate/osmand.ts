import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import type { Link, Session } from './link.ts'
import type { Vehicle } from './vehicle.ts'

const kphPerKnot = 1.852

/** A phone with Traccar Client (OsmAnd protocol): one request per position, which the server confirms with 200; the body is a command. */
export async function openOsmand({ uniqueId }: Vehicle, { host, port, signal, tally }: Link): Promise<Session> {
  return {
    async send(fixes) {
      for (const fix of fixes) {
        const response = await fetch(`http://${host}:${port}/?${queryOf(uniqueId, fix)}`, {
          method: 'POST',
          signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
        })
        const text = await response.text()
        if (response.status === 400 || response.status === 404) tally.refused.add(uniqueId)
        if (!response.ok) throw new Error(`${uniqueId}: ${response.status} ${text.slice(0, 200)}`)
        if (text) tally.commands += 1
      }
    },
    close: () => undefined,
  }
}

/** Speed in knots, as OsmAnd sends it. */
export function queryOf(uniqueId: string, fix: Fix): URLSearchParams {
  const { hdop, ignition, motion, odometer, alarm } = fix.attributes
  const said = {
    id: uniqueId,
    timestamp: fix.fixTime,
    lat: fix.latitude,
    lon: fix.longitude,
    speed: ((fix.speed ?? 0) / kphPerKnot).toFixed(3),
    bearing: fix.course,
    altitude: fix.altitude,
    accuracy: 5,
    batt: 80,
    charge: ignition,
    hdop,
    ignition,
    motion,
    odometer,
    alarm,
  }
  return new URLSearchParams(
    Object.entries(said).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  )
}

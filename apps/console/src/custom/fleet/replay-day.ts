import { call } from '../../data/calls.ts'
import type { FleetAsset } from './fleet.ts'
import type { Fix } from './replay.ts'

export interface Stop {
  id: string
  startTime: string
  endTime: string | null
  kind: string
  latitude: number
  longitude: number
}
export interface EventRow {
  eventId: string
  words: string
  severity: string
  eventTime: string
  latitude: number | null
  longitude: number | null
}
export interface Day {
  asset: FleetAsset
  fixes: Fix[]
  stops: Stop[]
  events: EventRow[]
}
const pageSize = 10_000
const fields = 'id,fixTime,latitude,longitude,speed,course,isValid'

async function fixesOf(deviceId: string, { from, to }: { from: string; to: string }, signal: AbortSignal): Promise<Fix[]> {
  const fixes: Fix[] = []
  for (let after: string | undefined; ;) {
    const { data, meta } = await call(
      'geo.positions.list',
      { query: { deviceId, from, to, size: String(pageSize), fields, ...(after === undefined ? {} : { after }) } },
      { signal },
    )
    for (const row of data.position as {
      fixTime: string
      latitude: number | null
      longitude: number | null
      speed: number | null
      course: number | null
      isValid: boolean
    }[])
      if (row.isValid && row.latitude !== null && row.longitude !== null)
        fixes.push({ time: Date.parse(row.fixTime), lat: row.latitude, lng: row.longitude, speed: row.speed ?? 0, course: row.course })
    const next = (meta as { next?: string | null } | undefined)?.next
    if (!next) return fixes
    after = next
  }
}

/** What is known of an asset's day: where it was, stops, events. */
export async function readDay(id: string, date: string, signal: AbortSignal): Promise<Day> {
  const body = { assetId: id, startDate: date, endDate: date }
  const [one, ways, told] = await Promise.all([
    call('assets.one', { params: { id } }, { signal }),
    call('assets.trips', { body }, { signal }),
    call('assets.events', { params: { id }, query: { startDate: date, endDate: date, size: 1_000 } }, { signal }),
  ])
  const asset = one.data.asset as unknown as FleetAsset
  const trips = ways.data.trips as unknown as { deviceId: string; startTime: string; endTime: string | null }[]
  const stops = ways.data.stops as unknown as Stop[]
  const deviceId = trips[0]?.deviceId ?? asset.asset_devices[0]?.deviceId
  const fixes =
    deviceId === undefined ? [] : await fixesOf(deviceId, { from: `${date}T00:00:00.000Z`, to: `${date}T23:59:59.999Z` }, signal)
  return { asset, fixes, stops, events: told.data.events as unknown as EventRow[] }
}

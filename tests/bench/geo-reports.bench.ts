import type pg from 'pg'
import { readerIn } from '@outpost/platform/db/context'
import { createPlaceNames } from '../../apps/geo/src/api/places.ts'
import type { GeoCtx } from '../../apps/geo/src/api/types.ts'
import { readPlacesAhead } from '../../apps/geo/src/geocoding/places.ts'
import { parametersOf } from '../../apps/geo/src/reports/parameters.ts'
import { linesOf } from '../../apps/geo/src/reports/parts/lines.ts'
import { withPlaces } from '../../apps/geo/src/reports/places.ts'
import { reports } from '../../apps/geo/src/reports/reports.ts'
import type { GeoReportName } from '@outpost/contract/geo/reports'
import { median, rounded, type Bench, type Figure } from './support/figure.ts'
import { withGeoPool } from './support/geo-pool.ts'
import { companyId } from './support/rows.ts'

const assets = 200
const days = 30
const tripsADay = 8
const rounds = 9
const messages = 86_400

/** Reports of a fleet over a month, whole as they leave the service: what one vehicle costs, and what all of them do. */
export const bench: Bench = {
  name: 'geo-reports',
  leads: 0,
  run: async (house) => {
    const devices = await makeMonth(house.admin)
    await readPlacesAhead()
    return withGeoPool(house, (pool) => figures(pool, devices))
  },
}

async function figures(pool: pg.Pool, devices: readonly string[]): Promise<Figure[]> {
  const [one = ''] = devices
  const measure = async (name: GeoReportName, deviceIds?: string[]) => {
    const [times, rows]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      const begin = performance.now()
      rows.push(await readWhole(pool, name, deviceIds))
      times.push(performance.now() - begin)
    }
    return { value: rounded(median(times)), unit: 'ms', detail: `${rows[0]} rows; median of ${rounds}` }
  }
  return [
    { name: 'report of trips, 1 asset, 30 days, places in words', target: '<= 150', ...(await measure('trips', [one])) },
    { name: `report of a summary, ${assets} assets, 30 days`, target: '<= 2000', ...(await measure('summary')) },
    { name: `report of trips, ${assets} assets, 30 days, places in words`, ...(await measure('trips')) },
    { name: `report of hotspots, ${assets} assets, 30 days`, ...(await measure('hotspots')) },
    { name: `report of positions, 1 asset, ${messages} messages`, ...(await measure('positions', [one])) },
    { name: `report of usage, 1 asset, ${messages} messages`, ...(await measure('active', [one])) },
    { name: `report of batteries, 1 asset, ${messages} messages`, ...(await measure('battery', [one])) },
    { name: `report of crashes, 1 asset, ${messages} messages`, ...(await measure('crash', [one])) },
    { name: `report of tampering, ${assets} assets, 30 days`, ...(await measure('tamper')) },
    { name: `report of drivers, ${assets} assets, 30 days`, ...(await measure('driver-behaviour')) },
    { name: `report of utilisation, ${assets} assets, 30 days`, ...(await measure('utilisation')) },
  ]
}

/** Reads a report to its end as the service writes it; the number of its rows. */
async function readWhole(pool: pg.Pool, name: GeoReportName, deviceIds?: string[]): Promise<number> {
  const services = { ...createPlaceNames(), commandQueued: () => undefined }
  const caller = { company: companyId, scope: '*', timeZone: 'Africa/Nairobi' }
  const ctx = {
    sql: readerIn(pool, { company: companyId, scope: '*', user: null, tenant: null }),
    caller,
    services,
    log: console,
  } as unknown as GeoCtx
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const asked = parametersOf({ from: day(days), to: day(0), ...(deviceIds ? { deviceIds } : {}) }, ctx.caller, Date.now())
  const { columns, places, arePlacesNamed = true, rows } = reports[name]
  const found = rows(ctx, asked)
  let last = ''
  for await (const piece of linesOf(columns, places && arePlacesNamed ? withPlaces(ctx, found, places) : found)) last = piece
  return (JSON.parse(last.trimEnd().split('\n').at(-1) ?? '') as { rows: number }).rows
}

/** Rows as processing leaves them: eight trips, stops and engine sessions a day for each, a way of some 400 characters. */
async function makeMonth(admin: pg.Pool): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, 'bench-reports-' || n, 'Bench ' || n from generate_series(1, $2) n returning "id"`,
    [companyId, assets],
  )
  const devices = rows.map(({ id }) => id)
  const step = `(now() - interval '${days} days' + (n * interval '1 day' / ${tripsADay}))`
  const of = `from unnest($2::uuid[]) with ordinality d("id", "no"), generate_series(0, ${days * tripsADay - 1}) n`
  const place = (shift: string) =>
    `-1.28 - (("no" * 7 + (n + ${shift}) % 5) % 90) * 0.004, 36.8 + (("no" * 3 + (n + ${shift}) % 5) % 70) * 0.005`
  await admin.query(
    `insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") select $1, "id", gen_random_uuid(), now() - interval '1 year' from unnest($2::uuid[]) d("id")`,
    [companyId, devices],
  )
  const asset = '(select a."assetId" from geo.device_asset a where a."companyId" = $1 and a."deviceId" = d."id")'
  await admin.query(
    `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "movingSeconds", "idleSeconds", "averageSpeed", "maxSpeed", "fuelUsed", "points", "quality", "explain", "path", "assetId")
    select $1, d."id", ${step}, ${step} + interval '40 minutes', ${place('0')}, ${place('1')}, 25000 + n, 2300, 100, 39, 80 + n % 30, 2.5, 80, 0.99, '{"words":"Started as it moved 50 m with the engine on."}', repeat('_p~iF~ps|U_ulLnnqC_mqNvxq', 16), ${asset} ${of}`,
    [companyId, devices],
  )
  await admin.query(
    `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude", "points", "assetId")
    select $1, d."id", ${step} + interval '40 minutes', ${step} + interval '1 day' / ${tripsADay}, 'parked', ${place('1')}, 12, ${asset} ${of}`,
    [companyId, devices],
  )
  await admin.query(
    `insert into geo.engine_session ("companyId", "deviceId", "startTime", "endTime", "source", "seconds", "movingSeconds", "idleSeconds", "assetId")
    select $1, d."id", ${step}, ${step} + interval '40 minutes', 'ignition', 2400, 2300, 100, ${asset} ${of}`,
    [companyId, devices],
  )
  await admin.query(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "more")
    select $1, $2, now() - interval '${days} days' + n * interval '${(days * 86_400) / messages} seconds', -1.28 + n * 1e-6, 36.8, n % 90, true, jsonb_build_object('ignition', n % 720 < 200, 'sat', 12, 'power', 12.6, 'odometer', n * 10) from generate_series(0, ${messages - 1}) n`,
    [companyId, devices[0]],
  )
  await admin.query(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "latitude", "longitude")
    select $1, d."id", case n % 4 when 0 then 'alarm' when 1 then 'deviceStopped' else 'deviceMoving' end, case n % 12 when 0 then 'powerCut' else 'hardBraking' end, ${step} + interval '10 minutes', case n % 4 when 0 then 'warning' else 'info' end, ${place('0')} ${of}`,
    [companyId, devices],
  )
  await admin.query(
    'analyze geo.event; analyze geo.trip; analyze geo.stop; analyze geo.engine_session; analyze geo.position; analyze geo.device_asset',
  )
  return devices
}

import { sizeOfShape } from '@outpost/rules/places/size'
import type pg from 'pg'
import { reportsBetween, vehicleOf } from '../../scripts/simulate/vehicle.ts'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'
import { home, vehicleId, vehicles } from './vehicles.ts'

const day = 86_400_000
/** Coarser than what the simulator sends: enough for yesterday's trips, and quick to insert. */
const every = 30_000

interface DemoFence {
  name: string
  type: 'geofence' | 'poi'
  shape: 'circle' | 'polygon' | 'route'
  area:
    | { type: 'Point'; coordinates: Place }
    | { type: 'LineString'; coordinates: readonly Place[] }
    | { type: 'Polygon'; coordinates: readonly (readonly Place[])[] }
  radius: number | null
  speedLimit?: number
  description: string
}
/** Longitude first, as GeoJSON has it. */
type Place = readonly [longitude: number, latitude: number]

const circle = (name: string, at: Place, radius: number, description: string): DemoFence => ({
  name,
  type: 'geofence',
  shape: 'circle',
  area: { type: 'Point', coordinates: at },
  radius,
  description,
})
const poi = (name: string, at: Place, radius: number, description: string): DemoFence => ({
  ...circle(name, at, radius, description),
  type: 'poi',
})

/** Places the simulator's vehicles drive through. */
const fences: readonly DemoFence[] = [
  {
    name: 'Nairobi CBD',
    type: 'geofence',
    shape: 'polygon',
    radius: null,
    description: 'Where parking is paid for',
    area: {
      type: 'Polygon',
      coordinates: [
        [
          [36.8085, -1.2735],
          [36.8205, -1.2725],
          [36.8345, -1.2795],
          [36.8335, -1.2945],
          [36.8235, -1.3015],
          [36.8105, -1.2955],
          [36.8085, -1.2735],
        ],
      ],
    },
  },
  {
    name: 'Thika Road',
    type: 'geofence',
    shape: 'route',
    radius: 400,
    speedLimit: 80,
    description: 'Corridor with a limit of 80 km/h',
    area: {
      type: 'LineString',
      coordinates: [
        [36.8219, -1.2786],
        [36.8367, -1.2657],
        [36.8418, -1.2588],
        [36.8712, -1.2445],
        [36.8785, -1.2325],
        [36.888, -1.2189],
        [36.902, -1.2045],
        [36.9302, -1.1842],
        [36.961, -1.148],
        [37.014, -1.103],
        [37.07, -1.039],
      ],
    },
  },
  circle('Thika yard', [37.07, -1.039], 900, 'Yard for recovered vehicles'),
  circle('Athi River yard', [36.978, -1.456], 900, 'Yard for recovered vehicles'),
  circle('Jomo Kenyatta Airport', [36.9176, -1.3232], 1_800, 'Pick-ups only with an order'),
  circle('Limuru', [36.642, -1.113], 1_200, 'End of the western round'),
  circle('Ngong', [36.656, -1.362], 1_000, 'End of the southern round'),
  poi('Westlands office', [36.807, -1.2675], 150, 'Branch office'),
  poi('Karen agent', [36.707, -1.319], 150, 'Agent for payments'),
  poi('Roysambu workshop', [36.888, -1.2189], 150, 'Fits and mends trackers'),
]

const rules = [
  {
    name: 'Power cut',
    type: 'alarm',
    severity: 'critical',
    cooldownSeconds: 300,
    conditions: [{ kind: 'alarm', names: ['powerCut', 'tampering', 'removing'] }],
  },
  { name: 'Hard braking', type: 'alarm', severity: 'info', cooldownSeconds: 60, conditions: [{ kind: 'alarm', names: ['hardBraking'] }] },
  { name: 'Too fast', type: 'deviceOverspeed', severity: 'warning', cooldownSeconds: 300, conditions: [] },
  {
    name: 'Left a yard',
    type: 'geofenceExit',
    severity: 'warning',
    cooldownSeconds: 0,
    conditions: [{ kind: 'fence', ids: ['Thika yard', 'Athi River yard'].map((name) => fenceId(name)), where: 'of' }],
  },
] as const

/** Fences, rules and the last day of the vehicles; trips follow from it once the geo service runs. */
export async function insertFleet(client: pg.ClientBase, { company, now }: { company: DemoCompany; now: number }): Promise<void> {
  if (company.key !== home) return
  const companyId = demoId(company.key)
  const tenantId = demoId(company.branches[0]?.code ?? '')
  const places = fences.map((fence) => ({ ...fence, ...sizeOf(fence), companyId, tenantId, id: fenceId(fence.name) }))
  await client.query(
    `insert into geo.geofence ("companyId", "id", "tenantId", "type", "shape", "name", "description", "area", "radius", "speedLimit", "squareMetres", "edgeMetres")
    select "companyId", "id", "tenantId", "type", "shape", "name", "description", "area", "radius", "speedLimit", "squareMetres", "edgeMetres" from json_populate_recordset(null::geo.geofence, $1::json)`,
    [JSON.stringify(places)],
  )
  await client.query(
    `insert into geo.geofence_link ("companyId", "deviceId", "geofenceId")
    select d."companyId", d."id", f."id" from geo.device d join geo.geofence f on f."companyId" = d."companyId" where d."companyId" = $1`,
    [companyId],
  )
  await client.query(
    `insert into geo.event_io ("companyId", "id", "tenantId", "name", "type", "severity", "cooldownSeconds", "conditions")
    select "companyId", "id", "tenantId", "name", "type", "severity", "cooldownSeconds", "conditions" from json_populate_recordset(null::geo.event_io, $1::json)`,
    [JSON.stringify(rules.map((rule) => ({ ...rule, companyId, tenantId, id: demoId(`rule ${rule.name}`) })))],
  )
  await insertHands(client, { companyId, tenantId })
  await insertDay(client, { companyId, now })
}

const drivers = [
  { name: 'Peter Kamau', uniqueId: '0100000A1B2C', phone: '+254722100101', licence: 'DL-3391204', licenceExpires: '2028-03-31' },
  { name: 'Faith Chebet', uniqueId: '0100000A1B2D', phone: '+254722100102', licence: 'DL-2207751', licenceExpires: '2027-08-15' },
  { name: 'Joseph Otieno', uniqueId: '0100000A1B2E', phone: '+254722100103', licence: 'DL-4410093', licenceExpires: '2029-01-20' },
]
const commands = [
  { name: 'Report every 30 seconds', type: 'positionPeriodic', parameters: { frequency: 30 } },
  { name: 'Where are you?', type: 'positionSingle', parameters: {} },
]
const reactions = [
  {
    name: 'Tell the administrators of a power cut',
    type: 'notify',
    eventIoId: demoId('rule Power cut'),
    parameters: { roles: ['Administrator'] },
  },
]

/** Who drives, commands that are kept, and whom a rule tells. */
async function insertHands(client: pg.ClientBase, { companyId, tenantId }: { companyId: string; tenantId: string }): Promise<void> {
  const filed = <Row extends { name: string }>(kind: string, rows: readonly Row[]) =>
    JSON.stringify(rows.map((row) => ({ ...row, companyId, tenantId, id: demoId(`${kind} ${row.name}`) })))
  await client.query(
    `insert into geo.driver ("companyId", "id", "tenantId", "name", "uniqueId", "phone", "licence", "licenceExpires")
    select "companyId", "id", "tenantId", "name", "uniqueId", "phone", "licence", "licenceExpires" from json_populate_recordset(null::geo.driver, $1::json)`,
    [filed('driver', drivers)],
  )
  await client.query(
    `insert into geo.saved_command ("companyId", "id", "tenantId", "name", "type", "parameters")
    select "companyId", "id", "tenantId", "name", "type", "parameters" from json_populate_recordset(null::geo.saved_command, $1::json)`,
    [filed('command', commands)],
  )
  await client.query(
    `insert into geo.event_action ("companyId", "id", "tenantId", "name", "type", "eventIoId", "parameters")
    select "companyId", "id", "tenantId", "name", "type", "eventIoId", "parameters" from json_populate_recordset(null::geo.event_action, $1::json)`,
    [filed('reaction', reactions)],
  )
}

function sizeOf({ shape, area, radius }: DemoFence) {
  const lines =
    area.type === 'Point' ? [] : area.type === 'LineString' ? [area.coordinates.flat()] : area.coordinates.map((ring) => ring.flat())
  return sizeOfShape(shape, lines, radius ?? 0)
}

function fenceId(name: string): string {
  return demoId(`fence ${name}`)
}

/** What the simulator would have sent: it goes on from there without a gap. */
async function insertDay(client: pg.ClientBase, { companyId, now }: { companyId: string; now: number }): Promise<void> {
  const reports = Array.from({ length: vehicles }, (_, number) =>
    reportsBetween(vehicleOf(number), { from: now - day, to: now, every }).map((fix) => ({ deviceId: vehicleId(number), fix })),
  ).flat()
  const column = <Value>(pick: (report: (typeof reports)[number]) => Value) => reports.map(pick)
  await client.query(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "serverTime", "latitude", "longitude", "altitude", "speed", "course", "isValid", "more")
    select $1, t.d, to_timestamp(t.f), to_timestamp(t.f) + interval '2 seconds', t.lat, t.lon, t.alt, t.speed, t.course, true, t.a::jsonb
    from unnest($2::uuid[], $3::float8[], $4::float8[], $5::float8[], $6::real[], $7::real[], $8::real[], $9::text[]) t(d, f, lat, lon, alt, speed, course, a)`,
    [
      companyId,
      column(({ deviceId }) => deviceId),
      column(({ fix }) => fix.fixTime / 1_000),
      column(({ fix }) => fix.latitude),
      column(({ fix }) => fix.longitude),
      column(({ fix }) => fix.altitude),
      column(({ fix }) => fix.speed),
      column(({ fix }) => fix.course),
      column(({ fix }) => JSON.stringify(fix.attributes)),
    ],
  )
  await client.query(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "altitude", "speed", "course", "isValid", "attributes", "state", "stateTime", "serverTime")
    select distinct on ("deviceId") "companyId", "deviceId", "fixTime", "latitude", "longitude", "altitude", "speed", "course", "isValid", "attributes", "attributes", "fixTime", "serverTime"
    from geo.position where "companyId" = $1 order by "deviceId", "fixTime" desc`,
    [companyId],
  )
  await client.query(
    `insert into geo.dirty ("companyId", "deviceId", "since", "until") select "companyId", "deviceId", min("fixTime"), max("fixTime") from geo.position where "companyId" = $1 group by 1, 2`,
    [companyId],
  )
  await client.query(
    `insert into geo.device_health ("companyId", "deviceId", "lastFrameAt", "lastFixAt", "frames", "fixes", "logins")
    select "companyId", "deviceId", max("serverTime"), max("serverTime"), count(*), count(*), 1 from geo.position where "companyId" = $1 group by 1, 2`,
    [companyId],
  )
}

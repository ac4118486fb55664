import { randomUUID } from 'node:crypto'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import ExcelJS from 'exceljs'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createGeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addApi } from '../../apps/geo/src/calls.ts'
import { createPlaceNames } from '../../apps/geo/src/api/places.ts'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import { defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { geoReportRows } from '../../apps/server/src/kernel/geo-client/report-ticket.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { noInput, query } from '../../apps/server/src/kernel/resource/operations.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { until } from '../support/until.ts'
import { freePort } from '../support/port.ts'

const days = { startDate: '2026-03-02', endDate: '2026-03-08' }
let app: TestApp
let url: string
let close: () => Promise<void>
let company: MadeTenant, north: MadeTenant, south: MadeTenant
let manager: MadeUser
const devices: Record<string, string> = {}

beforeAll(async () => {
  const port = await freePort()
  const geoUrl = `http://127.0.0.1:${port}`
  // What server code does with a report: rows as they come, of whoever asks.
  const probe = defineArea({
    name: 'probe',
    routes: [
      route(
        'probe.trips',
        'GET',
        '/api/probe/trips',
        may('CRM/REPORTS'),
        query(noInput, async (ctx) => {
          const rows = []
          for await (const row of geoReportRows(ctx, geoUrl, 'trips', { from: days.startDate, to: days.endDate, places: false }))
            rows.push(row)
          return { data: { rows } }
        }),
        { own: true },
      ),
    ],
  })
  app = await testApp({ env: { GEO_URL: geoUrl }, areas: (machine) => [...createAreas(machine), probe] })
  url = await app.listen()
  const { services, queueStore } = app.machine
  const log = createLog({ level: process.env.TEST_LOG ?? 'silent' })
  const jobs = startJobs({ areas: app.areas, services, store: queueStore, log: app.machine.log, sweepMs: 200 })
  const pools = createGeoPools({ url: app.database.url, secret: app.database.secret, log, patience: 30 })
  const counters = createCounters({ log })
  const http = await createHttp({ log, counters, health: { checks: [], isOpen: () => true }, perAddress: 0, pressureLagMs: 0 })
  await addApi(http, {
    pool: pools.geo,
    keys: geoKeysOf(app.database),
    log,
    services: { ...createPlaceNames(), commandQueued: () => undefined },
  })
  await http.listen({ host: '127.0.0.1', port })
  close = async () => {
    await jobs.close()
    await http.close()
    await Promise.all([pools.close(), counters.close()])
    await app.close()
  }
  await fill()
})
afterAll(() => close())

const sent = async (text: string, values: unknown[]) => (await app.database.admin.query<{ id: string }>(text, values)).rows

/** One trip a device: a formula for a name, one in another tenant, one in another company. */
async function fill(): Promise<void> {
  company = await app.make.company({ name: 'Sunrise' })
  north = await app.make.tenant({ company, type: 3, name: 'North' })
  south = await app.make.tenant({ company, type: 3, name: 'South' })
  manager = await app.make.user({ company, tenant: company, role: 'md' })
  const foreign = await app.make.company({ name: 'Copper' })
  for (const [name, of, tenant] of [
    ['=NORTH', company, north],
    ['SOUTH', company, south],
    ['ZZB', foreign, foreign],
  ] as const) {
    const [row] = await sent(
      `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $2, $3, $4) returning "id"`,
      [of.id, tenant.id, randomUUID(), name],
    )
    devices[name] = row!.id
    await sent(
      `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "movingSeconds", "idleSeconds", "averageSpeed", "maxSpeed", "quality")
      values ($1, $2, '2026-03-04T06:00:00Z', '2026-03-05T08:30:05Z', -1.2864, 36.8172, -1.0333, 37.0693, 45678.4, 95000, 405, 52.25, 88, 0.975)`,
      [of.id, row!.id],
    )
  }
}

async function finished(client: SignedInClient, body: object): Promise<{ Id: string; status: string; rows: number; error: string | null }> {
  const { body: answer } = await client.post<{ runId: string }>('/api/reports/run', body)
  const get = async () =>
    (
      await client.get<{ reportRun: { Id: string; status: string; rows: number; error: string | null } }>(
        `/api/reports/runs/${answer.data.runId}`,
      )
    ).body.data.reportRun
  await until(async () => !['queued', 'running'].includes((await get()).status))
  return get()
}

async function fileOf(client: SignedInClient, runId: string): Promise<Response> {
  const { filePath } = (await client.post<{ filePath: string }>(`/api/reports/runs/${runId}/link`)).body.data
  return fetch(`${url}${filePath}`)
}

test('trips as xlsx: names of places, kilometres, hours that a spreadsheet adds up, no formula', async () => {
  const client = await app.as(manager)
  const run = await finished(client, { report: 'trips', parameters: days })
  expect(run).toMatchObject({ status: 'done', rows: 2 })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(await (await fileOf(client, run.Id)).arrayBuffer())
  const sheet = book.getWorksheet('Trips')!
  const heading = (sheet.getRow(1).values as string[]).slice(1)
  expect(heading.slice(0, 9)).toEqual(['Device', 'Vehicle', 'Driver', 'Start', 'End', 'From', 'To', 'Distance (km)', 'Without data (km)'])
  const cell = (row: number, title: string) => sheet.getRow(row).getCell(heading.indexOf(title) + 1)
  const first = [2, 3].find((row) => cell(row, 'Device').value === '=NORTH')!
  expect([cell(first, 'From').value, cell(first, 'To').value]).toEqual([
    expect.stringContaining('Nairobi'),
    expect.stringContaining('Thika'),
  ])
  expect([cell(first, 'Distance (km)').value, cell(first, 'Top speed (km/h)').value, cell(first, 'Quality').value]).toEqual([
    45.678, 88, 0.975,
  ])
  // On the clock of the company; 26 h 30 min 5 s are more than a day.
  expect(cell(first, 'Start').value).toEqual(new Date('2026-03-04T09:00:00Z'))
  expect(cell(first, 'Duration').numFmt).toBe('[h]:mm:ss')
  const inDays = (title: string, row: number) => {
    const { value } = cell(row, title)
    return value instanceof Date ? (value.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000 : Number(value)
  }
  expect(inDays('Duration', first) * 86_400).toBeCloseTo(95_405, 0)
  expect(inDays('Duration', 4) * 86_400).toBeCloseTo(2 * 95_405, 0)
  expect(cell(4, 'Distance (km)').value).toBeCloseTo(91.356, 6)
  expect(heading.join()).not.toMatch(/\bid\b/i)
  expect(JSON.stringify(sheet.getSheetValues())).not.toContain('ZZB')
  const about = JSON.stringify(book.getWorksheet('About')!.getSheetValues())
  expect(about).toContain('Ways below 10 m')
  expect(about).toContain('8 Mar 2026')
})

test('as CSV, of one tenant, of the selected devices', async () => {
  const branch = await app.as(await app.make.user({ company, tenant: north, role: 'branch' }))
  const run = await finished(branch, { report: 'summary', parameters: days, format: 'csv' })
  const [table = '', foot] = (await (await fileOf(branch, run.Id)).text()).split('\r\n\r\n')
  expect(foot).toMatch(/^Report,Fleet summary\r\nDefinition,"Trips[^]*\r\nFilter: From,2 Mar 2026\r\n[^]*\r\nRows,1\r\n$/)
  expect(table.split('\r\n')).toEqual([
    'Device,Asset,Trips,Distance (km),Without data (km),Moving,Idle,Engine on,Average speed (km/h),Top speed (km/h),Fuel (l),Stops,Stopped,Days driven,First day,Last day',
    "'=NORTH,No,1,45.678,0,26:23:20,0:06:45,0:00:00,1.7,88,,0,0:00:00,1,2026-03-04,2026-03-04",
  ])
  const client = await app.as(manager)
  expect(await finished(client, { report: 'trips', parameters: { ...days, deviceIds: JSON.stringify([devices.SOUTH]) } })).toMatchObject({
    status: 'done',
    rows: 1,
  })
  // Another company's device is not there, and the run says so.
  expect(await finished(client, { report: 'trips', parameters: { ...days, deviceIds: devices.ZZB } })).toMatchObject({
    status: 'failed',
    error: 'Not found.',
  })
  expect(await finished(branch, { report: 'trips', parameters: { ...days, deviceIds: devices.SOUTH } })).toMatchObject({
    status: 'failed',
    error: 'Not found.',
  })
})

test('the name of who acknowledged an alarm is included', async () => {
  const client = await app.as(manager)
  await sent(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "acknowledgedBy", "acknowledgedAt", "note") values ($1, $2, 'alarm', 'sos', '2026-03-05T10:00:00Z', 'critical', $3, now(), '=HYPERLINK("x")')`,
    [company.id, devices.SOUTH, manager.id],
  )
  const run = await finished(client, { report: 'alarms', parameters: { ...days, types: 'sos, powerCut' }, format: 'csv' })
  const [heading, line] = (await (await fileOf(client, run.Id)).text()).split('\r\n').map((one) => one.split(','))
  const cell = (title: string) => line![heading!.indexOf(title)]
  expect([cell('Event'), cell('Severity'), cell('Acknowledged by')]).toEqual([
    'SOS',
    'critical',
    `${manager.firstName} ${manager.lastName}`,
  ])
  expect(line!.join()).toContain("'=HYPERLINK")
})

test('every report of the service can be requested, and requires its permission', async () => {
  const client = await app.as(manager)
  const { reports } = (await client.get<{ reports: { name: string; screen: string }[] }>('/api/reports')).body.data
  const ours = app.areas.find(({ name }) => name === 'geo')?.reports?.map(({ name }) => name) ?? []
  // What reads loans or plans of the server besides is run in collateral.test.ts and maintenance.test.ts.
  const fleet = reports
    .map(({ name }) => name)
    .filter((name) => ours.includes(name) && !['collateral-watch', 'maintenance-due'].includes(name))
  expect(fleet).toEqual([
    'trips',
    'stops',
    'engine',
    'hotspots',
    'active',
    'device-usage',
    'summary',
    'positions',
    'alarms',
    'events',
    'tamper',
    'crash',
    'battery',
    'device-asset-history',
    'driver-behaviour',
    'utilisation',
    'fuel',
    'fence-stays',
  ])
  for (let at = 0; at < fleet.length; at += 4) {
    await Promise.all(
      fleet
        .slice(at, at + 4)
        .map(async (report) =>
          expect([report, (await finished(client, { report, parameters: days, format: 'csv' })).status]).toEqual([report, 'done']),
        ),
    )
  }
  const role = async (permissions: string[]) =>
    app.as(await app.make.user({ company, role: await app.make.role({ company, name: randomUUID(), permissions }) }))
  for (const lacking of [await role(['CRM/REPORTS']), await role(['SALES/AGENT/POSITION'])]) {
    expect((await lacking.post('/api/reports/run', { report: 'trips', parameters: days })).body).toMatchObject({ code: 'FORBIDDEN' })
  }
  const ask = async (report: string, parameters: object) => (await client.post('/api/reports/run', { report, parameters })).body
  expect(await ask('battery', { ...days, zeros: true })).toMatchObject({ code: 'INVALID', fields: [{ field: 'parameters.zeros' }] })
  expect(await ask('trips', { ...days, deviceIds: 'x' })).toMatchObject({ code: 'INVALID', fields: [{ field: 'parameters.deviceIds.0' }] })
  expect(await ask('trips', { startDate: '2024-01-01', endDate: '2026-01-01' })).toMatchObject({
    code: 'INVALID',
    fields: [{ field: 'startDate' }],
  })
})

test('server code reads the rows as a stream, within the caller’s reach', async () => {
  const rows = async (user: MadeUser) =>
    (await (await app.as(user)).get<{ rows: Record<string, unknown>[] }>('/api/probe/trips')).body.data.rows
  expect((await rows(manager)).map(({ device, km, startPlace }) => [device, km, startPlace]).toSorted()).toEqual([
    ['=NORTH', 45.678, null],
    ['SOUTH', 45.678, null],
  ])
  expect((await rows(await app.make.user({ company, tenant: south, role: 'branch' }))).map(({ device }) => device)).toEqual(['SOUTH'])
})

test('the screen pages through a report: totals, ways on the map, and numbers that open as many rows', async () => {
  const client = await app.as(manager)
  interface Shown {
    rows: Record<string, unknown>[]
    opens?: Record<string, string>[]
    places?: ({ positions: number[][] } | null)[]
    total?: number
    hasMore: boolean
  }
  const look = async (report: string, parameters: object, page?: number) =>
    (await client.post<{ preview: Shown }>('/api/reports/preview', { report, parameters, ...(page ? { page } : {}) })).body.data.preview
  const [device] = await sent(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $1, $2, 'BUSY') returning "id"`,
    [company.id, randomUUID()],
  )
  await sent(
    `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "movingSeconds")
    select $1, $2, '2026-03-03T00:00:00Z'::timestamptz + n * interval '1 hour', '2026-03-03T00:30:00Z'::timestamptz + n * interval '1 hour', -1.3, 36.8, -1.2, 36.9, 5, 60 from generate_series(1, 61) n returning "deviceId" as "id"`,
    [company.id, device!.id],
  )
  const [summary] = (await look('summary', { ...days, deviceIds: device!.id })).opens!
  const opened = new URL(summary!.trips!, url)
  expect(opened.pathname).toBe('/reports/standard/trips')
  const parametersOf = ({ searchParams }: URL) =>
    Object.fromEntries([...searchParams].map(([key, value]) => [key, value === 'true' ? true : value]))
  const asked = parametersOf(opened)
  const first = await look('trips', asked)
  expect([first.rows.length, first.total, first.hasMore, first.places![0]!.positions]).toEqual([
    50,
    61,
    true,
    [
      [-1.3, 36.8],
      [-1.2, 36.9],
    ],
  ])
  const second = await look('trips', asked, 2)
  expect([second.rows.length, second.total, second.hasMore]).toEqual([11, 61, false])
  expect(new Set([...first.rows, ...second.rows].map(({ startTime }) => startTime)).size).toBe(61)
  // A day with an event on the way: the trip's alerts are those the events report lists for it.
  await sent(
    `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity") values ($1, $2, 'alarm', 'hardBraking', '2026-03-03T01:10:00Z', 'warning'), ($1, $2, 'ignitionOn', '', '2026-03-03T01:11:00Z', 'info')`,
    [company.id, device!.id],
  )
  const withAlert = await look('trips', asked)
  const [at] = withAlert.rows.flatMap(({ alerts }, index) => (alerts === 1 ? [index] : []))
  const events = new URL(withAlert.opens![at!]!.alerts!, url)
  expect((await look('events', parametersOf(events))).rows.map(({ words }) => words)).toEqual(['Hard braking'])
})

test('visits of a hotspot, stops of a vehicle and messages and falls of a battery open as many rows', async () => {
  const client = await app.as(manager)
  interface Shown {
    rows: Record<string, unknown>[]
    opens: Record<string, string>[]
  }
  const look = async (report: string, parameters: object) =>
    (await client.post<{ preview: Shown }>('/api/reports/preview', { report, parameters })).body.data.preview
  const opened = async (address: string | undefined) => {
    const { pathname, searchParams } = new URL(address!, url)
    const asked = Object.fromEntries([...searchParams].map(([key, value]) => [key, value === 'true' ? true : value]))
    return (await look(pathname.split('/').at(-1)!, asked)).rows
  }
  const [device] = await sent(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $1, $2, 'STOPS') returning "id"`,
    [company.id, randomUUID()],
  )
  // Two places, three visits and two, one visit elsewhere; the first began before the days asked for.
  await sent(
    `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude")
    select $1, $2, v.at::timestamptz, v.at::timestamptz + v.long::interval, 'parked', v.lat, 36.8 from (values
      ('2026-03-01T12:00:00Z', '30 hours', -1.5), ('2026-03-04T08:00:00Z', '1 hour', -1.5001), ('2026-03-04T12:00:00Z', '1 hour', -1.5002),
      ('2026-03-04T15:00:00Z', '0 hours', -1.6), ('2026-03-05T15:00:00Z', '2 hours', -1.6), ('2026-03-05T20:00:00Z', '1 hour', -1.7)) v(at, long, lat) returning "deviceId" as "id"`,
    [company.id, device!.id],
  )
  const window = { startDate: '2026-03-02', endDate: '2026-03-06', deviceIds: device!.id }
  const spots = await look('hotspots', window)
  expect(spots.rows.map(({ visits }) => visits)).toEqual([3, 2])
  for (const [index, { visits }] of spots.rows.entries()) expect(await opened(spots.opens[index]!.visits)).toHaveLength(Number(visits))
  await sent(
    `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "movingSeconds") values ($1, $2, '2026-03-04T09:10:00Z', '2026-03-04T10:10:00Z', -1.5, 36.8, -1.5, 36.8, 5000, 60) returning "deviceId" as "id"`,
    [company.id, device!.id],
  )
  const summary = await look('summary', window)
  expect(summary.rows[0]!.stops).toBe(5)
  expect(await opened(summary.opens[0]!.stops)).toHaveLength(5)
  // Ten messages with a voltage on two days, between them one without; it falls below 11.9 over midnight and once by day.
  const volts = [12.6, 12.5, 12.4, 12.3, null, 11.8, 12.5, 11.7, 11.6, 12.6, 12.7]
  await sent(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid", "more")
    select $1, $2, '2026-03-04T19:00:00Z'::timestamptz + (n - 1) * interval '24 minutes', -1.5, 36.8, true, case when v is null then '{}' else jsonb_build_object('power', v) end
    from unnest($3::float8[]) with ordinality x(v, n) returning "deviceId" as "id"`,
    [company.id, device!.id, volts],
  )
  const battery = await look('battery', window)
  const counts = battery.rows.map(({ day, messages, crossings }) => [day, messages, crossings])
  expect(counts.map(([, messages, crossings]) => [Number(messages) > 0, Number(crossings)])).toEqual([
    [true, 0],
    [true, 2],
  ])
  for (const [index, { messages, crossings }] of battery.rows.entries()) {
    expect(await opened(battery.opens[index]!.messages)).toHaveLength(Number(messages))
    if (crossings === 0) expect(battery.opens[index]).not.toHaveProperty('crossings')
    else expect(await opened(battery.opens[index]!.crossings)).toHaveLength(Number(crossings))
  }
  const refused = await client.post('/api/reports/preview', { report: 'stops', parameters: { ...window, near: 'here' } })
  expect(refused.status).toBe(422)
})

test('as PDF: laid out with its heading, refused in words where it would be too long', async () => {
  const client = await app.as(manager)
  const run = await finished(client, { report: 'trips', parameters: days, format: 'pdf' })
  expect(run).toMatchObject({ status: 'done', error: null })
  const answer = await fileOf(client, run.Id)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  const [device] = await sent(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $1, $2, 'LONG') returning "id"`,
    [company.id, randomUUID()],
  )
  await sent(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid") select $1, $2, '2026-03-04T00:00:00Z'::timestamptz + n * interval '1 second', -1.3, 36.8, true from generate_series(1, 2001) n`,
    [company.id, device!.id],
  )
  expect(await finished(client, { report: 'positions', parameters: { ...days, deviceIds: device!.id }, format: 'pdf' })).toMatchObject({
    status: 'failed',
    error: 'A PDF holds at most 2000 rows: take XLSX or CSV, or ask for fewer days.',
  })
})

test('a cancelled run ends the work of the geo service', async () => {
  const big = await app.make.company({ name: 'Big' })
  const boss = await app.as(await app.make.user({ company: big, role: 'md' }))
  const [device] = await sent(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $1, $2, 'MANY') returning "id"`,
    [big.id, randomUUID()],
  )
  await sent(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid") select $1, $2, '2026-03-04T00:00:00Z'::timestamptz + n * interval '1 second', -1.3, 36.8, true from generate_series(1, 150000) n`,
    [big.id, device!.id],
  )
  const { runId } = (await boss.post<{ runId: string }>('/api/reports/run', { report: 'positions', parameters: days, format: 'xlsx' })).body
    .data
  const busy = async () =>
    (await sent(`select '' as id from pg_stat_activity where usename = 'fx_geo' and state <> 'idle' and datname = current_database()`, []))
      .length
  await until(async () => (await busy()) > 0)
  await boss.post(`/api/reports/runs/${runId}/cancel`)
  const get = async () => (await boss.get<{ reportRun: { status: string } }>(`/api/reports/runs/${runId}`)).body.data.reportRun.status
  expect(await get()).toBe('cancelled')
  await until(async () => (await busy()) === 0)
})

import { randomUUID } from 'node:crypto'
import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo/reports'
import { createLog } from '@outpost/platform/log'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWriter } from '../../apps/geo/src/ingest/write/writer.ts'
import { motionOf } from '../../apps/geo/src/motion/motion.ts'
import { drive } from '../../apps/geo/src/motion/testing/drive.ts'
import { createProcessor } from '../../apps/geo/src/processing/processor.ts'
import { readGeoReport, type GeoRow } from '../../apps/server/src/kernel/geo-client/report-stream.ts'
import type { MadeTenant } from '../support/make.ts'
import { fixAt } from './support/devices.ts'
import { at, day, hour, makeReportWorld, readAll, type ReportWorld, type Who } from './support/report-world.ts'

const log = createLog({ level: 'error' })
let stack: ReportWorld['stack']
let company: MadeTenant
let stranger: MadeTenant
let branch: MadeTenant
let admin: ReportWorld['admin']
let sent: ReportWorld['sent']
let makeDevice: ReportWorld['makeDevice']
let ticket: ReportWorld['ticket']

beforeAll(async () => {
  ;({ stack, company, admin, sent, makeDevice, ticket } = await makeReportWorld())
  stranger = await stack.app.make.company()
  branch = await stack.app.make.tenant({ company })
})
afterAll(() => stack.close())

async function ask(name: GeoReportName, query: Record<string, string | undefined> = {}, who: Who = {}): Promise<GeoRow[]> {
  const { columns, rows } = await readGeoReport(ticket(name, query, who))
  const all = await readAll(rows)
  for (const row of all) expect([name, Object.keys(row)]).toEqual([name, columns.map((column) => column.name)])
  return all
}
const refusal = async (name: GeoReportName, query: Record<string, string | undefined>, who?: Who) =>
  ask(name, query, who).then(
    () => 'none',
    (error: { failure?: string; more?: { fields?: { field: string }[] } }) => [error.failure, error.more?.fields?.[0]?.field],
  )

/** Takes in a drive and processes it, as the running service would. */
async function takeIn(deviceId: string, fixes: ReturnType<typeof fixAt>[]): Promise<void> {
  const writer = createWriter({ pool: stack.pools.ingest, log, lingerMs: 1 })
  await writer.write(
    {
      companyId: company.id,
      deviceId,
      generation: 1,
      uniqueId: '',
      protocol: null,
      model: null,
      utcOffsetMinutes: null,
      tokenHash: null,
      userId: null,
    },
    fixes,
  )
  await createProcessor({ pools: stack.pools, log, lingerMs: 0 }).pass()
  await writer.close()
}

describe('driven distance', () => {
  let deviceId: string
  const assetId = randomUUID()
  const { points } = drive({
    phases: [
      { stand: 1_200 },
      { drive: 12_000, kmh: 50, course: 0 },
      { stand: 3_600 },
      { drive: 12_000, kmh: 60, course: 180 },
      { stand: 3_600 },
      { drive: 5_000, kmh: 40, course: 90 },
      { stand: 1_200 },
    ],
    every: 10,
    everyStationary: 60,
    start: at(2, 8),
  })
  const truth = motionOf(points)

  beforeAll(async () => {
    deviceId = await makeDevice('KDA 001A')
    await sent(`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") values ($1, $2, $3, $4)`, [
      company.id,
      deviceId,
      assetId,
      new Date(at(30, 0)),
    ])
    await takeIn(
      deviceId,
      points.map(({ time, latitude, longitude, speed, ignition }) =>
        fixAt(time, {
          latitude,
          longitude,
          speed,
          attributes: { ignition: ignition === true, sat: 11, odometer: 1_000_000, power: 12.8, battery: 4.15, batteryLevel: 90 },
        }),
      ),
    )
  })

  test('trips have the expected kilometres, times and top speeds, and names of places', async () => {
    const rows = await ask('trips')
    const seconds = (ms: number) => Math.round(ms / 1_000)
    expect(
      rows.map(({ startTime, endTime, km, moving, duration }) => [
        Date.parse(startTime as string),
        Date.parse(endTime as string),
        km,
        moving,
        duration,
      ]),
    ).toEqual(
      truth.trips
        .map(({ startTime, end, metres, movingMs }) => [
          startTime,
          end.time,
          Math.round(metres) / 1_000,
          seconds(movingMs),
          seconds(end.time - startTime),
        ])
        .map(([start, end, , ...rest], index) => [start, end, Number((truth.trips[index]!.metres / 1_000).toFixed(3)), ...rest]),
    )
    expect(rows.length).toBe(3)
    expect(rows[0]).toMatchObject({ device: 'KDA 001A', deviceId, assetId, startOdometer: 1_000, quality: 1 })
    expect(String(rows[0]!.startPlace)).toMatch(/, Kenya$/)
    expect(String(rows[0]!.words)).toMatch(/^Started .+: .+\. Ended .+\.$/)
  })

  test('stops name the trips before and after them; the engine counter continues; the summary adds up', async () => {
    const [trips, stops, engine, [total]] = [await ask('trips'), await ask('stops'), await ask('engine'), await ask('summary')]
    expect(stops.map(({ startTime }) => Date.parse(startTime as string))).toEqual(truth.stops.map(({ startTime }) => startTime))
    expect(stops[1]).toMatchObject({ previousTripId: trips[0]!.tripId, nextTripId: trips[1]!.tripId })
    expect([stops[0]!.previousTripId, stops.at(-1)!.nextTripId]).toEqual([null, null])
    expect(engine.map(({ startCounter }) => startCounter)).toEqual([0, ...engine.slice(0, -1).map(({ endCounter }) => endCounter)])
    const sum = (rows: GeoRow[], key: string) => rows.reduce((so, row) => so + Number(row[key]), 0)
    expect(total).toMatchObject({
      subjectId: assetId,
      isAsset: true,
      trips: 3,
      days: 1,
      firstDay: day(2),
      lastDay: day(2),
      moving: sum(trips, 'moving'),
      engine: sum(engine, 'duration'),
      stops: stops.length,
    })
    expect(total!.km).toBeCloseTo(sum(trips, 'km'), 2)
    expect(total!.maxSpeed).toBe(Math.max(...trips.map(({ maxSpeed }) => Number(maxSpeed))))
  })

  test('a place with two stops is a hotspot', async () => {
    const [spot, ...others] = await ask('hotspots')
    expect(others).toEqual([])
    expect(spot).toMatchObject({ visits: 2, devices: 1 })
    const [first, , third] = truth.stops
    expect([spot!.latitude, spot!.longitude]).toEqual([
      expect.closeTo((first!.latitude + third!.latitude) / 2, 4),
      expect.closeTo((first!.longitude + third!.longitude) / 2, 4),
    ])
  })

  test('usage counts messages and those that its own interval predicts; silent devices are in device-usage only', async () => {
    const silent = await makeDevice('Silent')
    const [row, ...others] = await ask('active')
    expect(others).toEqual([])
    expect(row).toMatchObject({ deviceId, messages: points.length, daysActive: 1, interval: 10, buffered: 1 })
    // Between its last message under way and the first at rest lies a minute, three times.
    expect([Number(row!.coverage) > 0.85, Number(row!.coverage) < 1]).toEqual([true, true])
    expect((await ask('device-usage')).map((one) => [one.deviceId, Number(one.messages) > 0])).toEqual([
      [deviceId, true],
      [silent, false],
    ])
    expect((await ask('summary', { zeros: '1' })).map(({ subjectId, trips }) => [subjectId, trips])).toEqual([
      [assetId, 3],
      [silent, 0],
    ])
  })

  test('positions have the event at each; the battery has its day', async () => {
    const rows = await ask('positions')
    expect(rows.map(({ fixTime }) => Date.parse(fixTime as string))).toEqual(points.map(({ time }) => time))
    const changes = rows.filter(({ event }) => event !== 'Position Report').map(({ event }) => event)
    expect(changes).toEqual(
      points.flatMap(({ ignition }, index) =>
        index === 0 || (ignition === true) === (points[index - 1]!.ignition === true)
          ? []
          : [ignition === true ? 'Ignition On' : 'Ignition Off'],
      ),
    )
    expect(changes.length).toBeGreaterThan(4)
    expect(rows[0]).toMatchObject({ odometer: 1_000, Satellites: 11, assetId, Geo: expect.stringMatching(/^\d\.\d{5} S, 36\.\d{5} E$/) })
    expect(
      (await ask('battery')).map(({ day: of, series, messages, last, crossings, lastFull }) => [
        of,
        series,
        messages,
        last,
        crossings,
        lastFull !== null,
      ]),
    ).toEqual([
      [day(2), 'backup', points.length, 4.15, 0, true],
      [day(2), 'level', points.length, 90, 0, false],
      [day(2), 'main', points.length, 12.8, 0, true],
    ])
  })

  test('a window has whole local days, and what began in another is not counted twice', async () => {
    for (const name of ['trips', 'engine', 'positions', 'battery', 'events', 'active', 'summary'] as const) {
      expect([name, await ask(name, { from: day(1), to: day(0) })]).toEqual([name, []])
      expect([name, await ask(name, { from: day(3), to: day(3) })]).toEqual([name, []])
    }
    expect((await ask('trips', { from: day(2), to: day(2) })).length).toBe(3)
    const [last] = await ask('stops', { from: day(0), to: day(0) })
    // The last stop goes on: it touches today.
    expect(Date.parse(last!.startTime as string)).toBe(truth.stops.at(-1)!.startTime)
    expect(await ask('trips', { assetIds: randomUUID() })).toEqual([])
    expect((await ask('trips', { assetIds: `${assetId},${randomUUID()}` })).length).toBe(3)
    expect(await ask('positions', { assetIds: randomUUID() })).toEqual([])
  })

  test('the days of a summary add up to the whole', async () => {
    const figures = async (from: string, to: string) => {
      const rows = await ask('summary', { from, to })
      return ['trips', 'km', 'gapKm', 'moving', 'idle', 'engine', 'stops', 'days'].map((key) =>
        rows.reduce((sum, row) => sum + Number(row[key]), 0),
      )
    }
    // Eleven at night to two: three trips that begin before midnight or after it.
    const night = drive({
      phases: [
        { stand: 600 },
        { drive: 30_000, kmh: 60 },
        { stand: 900 },
        { drive: 40_000, kmh: 50, course: 200 },
        { stand: 900 },
        { drive: 20_000, kmh: 60 },
        { stand: 600 },
      ],
      every: 10,
      everyStationary: 60,
      start: at(9, 22.8),
    })
    await takeIn(
      await makeDevice('NIGHT'),
      night.points.map(({ time, latitude, longitude, speed, ignition }) =>
        fixAt(time, { latitude, longitude, speed, attributes: { ignition: ignition === true } }),
      ),
    )
    const days = await Promise.all([9, 8, 7].map((ago) => figures(day(ago), day(ago))))
    expect(days.map(([trips]) => trips)).toEqual([2, 1, 0])
    const whole = await figures(day(9), day(7))
    expect(whole.map((value) => Math.round(value * 100))).toEqual(
      whole.map((_, index) => Math.round(days.reduce((sum, one) => sum + one[index]!, 0) * 100)),
    )
  })

  test('an asset keeps its history with the device that was on it', async () => {
    expect(await ask('device-asset-history')).toEqual([
      expect.objectContaining({ device: 'KDA 001A', assetId, since: new Date(at(30, 0)).toISOString(), until: null }),
    ])
  })
})

describe('incidents', () => {
  let deviceId: string
  const start = at(2, 10)
  beforeAll(async () => {
    deviceId = await makeDevice('KDC 003C')
    const cut = fixAt(start + 20_000, { speed: 0, attributes: { ignition: false, alarm: 'powerCut' } })
    const steps = [
      fixAt(start, { speed: 0, attributes: { ignition: false } }),
      cut,
      fixAt(start + 60_000, { speed: 0, attributes: { ignition: false } }),
      // Heard again after five hours, 30 km away; then driven into something.
      ...Array.from({ length: 30 }, (_, index) =>
        fixAt(start + 5 * hour + index * 1_000, { latitude: -1.0 + index * 1e-4, speed: 60, attributes: { ignition: true } }),
      ),
      fixAt(start + 5 * hour + 30_000, {
        latitude: -0.997,
        speed: 4,
        attributes: { ignition: true, axisX: 3_000, axisY: 4_000, axisZ: 0 },
      }),
      ...Array.from({ length: 60 }, (_, index) =>
        fixAt(start + 5 * hour + 40_000 + index * 10_000, { latitude: -0.997, speed: 0, attributes: { ignition: true } }),
      ),
    ]
    await takeIn(deviceId, steps)
  })

  test('alarms and events come newest first, as text, and without disproved ones', async () => {
    const [alarm, ...more] = await ask('alarms', { deviceIds: deviceId })
    expect(more).toEqual([])
    expect(alarm).toMatchObject({
      device: 'KDC 003C',
      type: 'alarm',
      words: 'Power cut',
      severity: 'critical',
      isLate: true,
      eventTime: new Date(start + 20_000).toISOString(),
    })
    const events = await ask('events', { deviceIds: deviceId })
    expect(events.map(({ eventTime }) => eventTime)).toEqual(
      events
        .map(({ eventTime }) => eventTime)
        .toSorted()
        .toReversed(),
    )
    expect(events.length).toBeGreaterThan(1)
    expect((await ask('events', { deviceIds: deviceId, types: 'ignitionOn,alarm' })).map(({ words }) => words)).toEqual([
      'Ignition on',
      'Power cut',
    ])
    await sent(`update geo.event set "isSuperseded" = true where "id" = $1 returning "id"`, [alarm!.eventId])
    expect(await ask('alarms', { deviceIds: deviceId })).toEqual([])
    await sent(`update geo.event set "isSuperseded" = false where "id" = $1 returning "id"`, [alarm!.eventId])
  })

  test('power cut, silence and a message from elsewhere are one incident', async () => {
    const [incident, ...others] = await ask('tamper')
    expect(others).toEqual([])
    expect(incident).toMatchObject({
      deviceId,
      severity: 'critical',
      isOpen: false,
      words: 'power cut, silence of 4 h 59 min, heard again',
      signals: 2,
      startTime: new Date(start + 20_000).toISOString(),
      endTime: new Date(start + 5 * hour).toISOString(),
    })
    expect(incident!.movedKm).toBeGreaterThan(30)
    expect(String(incident!.endPlace)).not.toBe('')
  })

  test('a fall of speed followed by a stop is a suspected crash, with its trace and shock', async () => {
    const [crash, ...others] = await ask('crash', { deviceIds: deviceId })
    expect(others).toEqual([])
    expect(crash).toMatchObject({
      confidence: 'low',
      status: 'NEW',
      eventId: null,
      speedBefore: 60,
      speedDrop: 56,
      g: 5,
      time: new Date(start + 5 * hour + 30_000).toISOString(),
    })
    expect((crash!.trace as { time: string }[]).length).toBeGreaterThan(30)
    await sent(
      `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "status") values ($1, $2, 'alarm', 'accident', $3, 'critical', 'APPROVED') returning "id"`,
      [company.id, deviceId, new Date(start + 5 * hour + 32_000)],
    )
    expect((await ask('crash', { deviceIds: deviceId })).map(({ confidence, status }) => [confidence, status])).toEqual([
      ['high', 'APPROVED'],
    ])
  })
})

describe('battery and towing', () => {
  test('a draining battery has a slope, falls below low once, and a forecast when it will be empty; 24 V are two of 12 V', async () => {
    const deviceId = await makeDevice('DRAINS')
    const start = at(2, 6)
    // From 68 % by two points every half hour to 20 % at six in the evening, then on to 10 %; the engine's 28 V hide nothing.
    await takeIn(
      deviceId,
      Array.from({ length: 30 }, (_, index) =>
        fixAt(start + index * 1_800_000, {
          speed: 0,
          attributes: {
            batteryLevel: 68 - index * 2,
            battery: 4.2 - index * 0.02,
            power: index % 10 === 9 ? 28.2 : 25.4 - index * 0.1,
            ignition: index % 10 === 9,
          },
        }),
      ),
    )
    const rows = await ask('battery', { deviceIds: deviceId })
    expect(
      rows.map(({ series, unit, messages, first, last, slope, crossings, low, daysLeft }) => [
        series,
        unit,
        messages,
        first,
        last,
        slope,
        crossings,
        low,
        daysLeft,
      ]),
    ).toEqual([
      ['backup', 'V', 30, 4.2, expect.closeTo(3.62, 6), -0.96, 0, 3.6, 0.2],
      ['level', '%', 30, 68, 10, -96, 1, 20, 0.1],
      ['main', 'V', 30, 25.4, 28.2, expect.closeTo(-4.8, 3), 2, 23.8, 0],
    ])
    expect(rows[0]!.lastFull).toBe(new Date(start + 5 * 1_800_000).toISOString())
  })

  test('a trip with the ignition off is towing, and lasting silence is an open incident', async () => {
    const deviceId = await makeDevice('TOWED')
    const { points } = drive({
      phases: [{ stand: 1_200 }, { drive: 9_000, kmh: 45 }, { stand: 600 }],
      every: 10,
      everyStationary: 30,
      start: at(1, 8),
      hasIgnition: false,
    })
    const end = points.at(-1)!.time
    await takeIn(deviceId, [
      ...points.map(({ time, latitude, longitude, speed }) => fixAt(time, { latitude, longitude, speed, attributes: { ignition: false } })),
      fixAt(end + 30_000, { attributes: { ignition: false, alarm: 'removing' }, speed: 0 }),
    ])
    const [incident, ...others] = await ask('tamper', { deviceIds: deviceId })
    expect(others).toEqual([])
    expect(incident).toMatchObject({ isOpen: true, endTime: null, severity: 'critical', signals: 3 })
    expect(String(incident!.words)).toMatch(/^towed, device removed, silence for \d+ /)
  })
})

describe('separation and refusals', () => {
  let foreign: string
  let local: string
  beforeAll(async () => {
    foreign = await makeDevice('FOREIGN', stranger)
    local = await makeDevice('LOCAL', company, branch)
    for (const [of, deviceId] of [
      [stranger.id, foreign],
      [company.id, local],
    ]) {
      await sent(
        `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "metres", "assetId", "fuelUsed") values ($1, $2, $3, $4, -1.3, 36.8, 5000, $5, 0.6) returning "deviceId"`,
        [of, deviceId, new Date(at(1, 8)), new Date(at(1, 9)), randomUUID()],
      )
      await sent(
        `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid", "more") values ($1, $2, $3, -1.3, 36.8, true, '{"alarm":"powerCut","battery":3.9}') returning "deviceId"`,
        [of, deviceId, new Date(at(1, 8))],
      )
      await sent(
        `insert into geo.stop ("companyId", "deviceId", "startTime", "kind", "latitude", "longitude") values ($1, $2, $3, 'parked', -1.3, 36.8), ($1, $2, $4, 'parked', -1.3, 36.8) returning "deviceId"`,
        [of, deviceId, new Date(at(1, 7)), new Date(at(1, 9))],
      )
      await sent(
        `insert into geo.engine_session ("companyId", "deviceId", "startTime", "source", "seconds") values ($1, $2, $3, 'ignition', 60) returning "deviceId"`,
        [of, deviceId, new Date(at(1, 8))],
      )
      await sent(
        `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime") values ($1, $2, 'alarm', 'powerCut', $3), ($1, $2, 'alarm', 'accident', $3) returning "id"`,
        [of, deviceId, new Date(at(1, 8))],
      )
      await sent(`insert into geo.device_asset ("companyId", "deviceId", "assetId") values ($1, $2, $3) returning "id"`, [
        of,
        deviceId,
        randomUUID(),
      ])
      const [fence] = await sent(
        `insert into geo.geofence ("companyId", "tenantId", "shape", "name", "area", "radius") values ($1, $2, 'circle', 'Yard', '{"type":"Point","coordinates":[36.8,-1.3]}', 100) returning "id"`,
        [of, of === company.id ? branch.id : of],
      )
      await sent(
        `insert into geo.visit ("companyId", "deviceId", "geofenceId", "enterTime") values ($1, $2, $3, $4) returning "deviceId" as "id"`,
        [of, deviceId, fence!.id, new Date(at(1, 8))],
      )
    }
  })

  test('no report contains a row of another company, nor of a tenant out of reach', async () => {
    for (const name of Object.keys(geoReportCalls) as GeoReportName[]) {
      const seen = async (who: Who) => JSON.stringify(await ask(name, {}, who))
      const own = await seen({ tenant: stranger })
      expect([name, own.includes('LOCAL'), own.includes('KDA')]).toEqual([name, false, false])
      expect([name, own.length > 2]).toEqual([name, true])
      const reach = await seen({ scope: [branch.id] })
      expect([name, reach.includes('KDA'), reach.includes('FOREIGN'), reach.length > 2]).toEqual([name, false, false, true])
      expect([name, await refusal(name, { deviceIds: foreign })]).toEqual([name, ['NOT_FOUND', undefined]])
      expect([name, await refusal(name, { deviceIds: `${local},${randomUUID()}` })]).toEqual([name, ['NOT_FOUND', undefined]])
    }
  })

  test('without the permission for positions there is no report, nor without a token', async () => {
    for (const name of Object.keys(geoReportCalls) as GeoReportName[]) {
      expect([name, await refusal(name, {}, { permissions: ['ADMIN/SETTINGS'] })]).toEqual([name, ['FORBIDDEN', undefined]])
      expect((await fetch(ticket(name, {}).url)).status).toBe(401)
      expect((await admin.get(`/geo${geoReportCalls[name].path}?from=${day(1)}&to=${day(0)}`)).status).toBe(404)
    }
  })

  test('invalid parameters are reported by name', async () => {
    expect(await refusal('trips', { from: undefined })).toEqual(['INVALID', 'from'])
    expect(await refusal('trips', { from: '2026-02-30' })).toEqual(['INVALID', 'from'])
    expect(await refusal('trips', { from: day(0), to: day(3) })).toEqual(['INVALID', 'to'])
    expect(await refusal('trips', { from: '2020-01-01' })).toEqual(['INVALID', 'to'])
    expect(await refusal('trips', { deviceIds: 'x' })).toEqual(['INVALID', 'deviceIds.0'])
    expect(await refusal('battery', { zeros: '1' })).toEqual(['INVALID', 'zeros'])
    expect(await refusal('alarms', { types: "a'b" })).toEqual(['INVALID', 'types.0'])
  })
})

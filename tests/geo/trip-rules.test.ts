import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Attributes } from '../../apps/geo/src/positions/fix.ts'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { fixAt, makeDevice } from './support/devices.ts'
import { geoStack, type GeoStack } from './support/stack.ts'
import { openIngestServices } from './support/ingest-services.ts'

/** Who moves over from Traccar sees the numbers they know, from the messages as they were stored, through the server. */
let stack: GeoStack
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let company: MadeTenant
let admin: SignedInClient
let director: SignedInClient
let officer: SignedInClient
let local: SignedInClient
let foreign: SignedInClient

beforeAll(async () => {
  stack = await geoStack()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(stack.app.database))
  const { make } = stack.app
  company = await make.company()
  const branch = await make.tenant({ company })
  const stranger = await make.company()
  const user = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]) =>
    stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
      tenant,
    })
  const all = ['ADMIN/SETTINGS', 'ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/EDIT', 'SALES/AGENT/POSITION']
  admin = await user(company, company, all)
  director = await user(company, company, ['ADMIN/TENANTS'])
  officer = await user(company, company, ['SALES/AGENT/POSITION'])
  local = await user(company, branch, all)
  foreign = await user(stranger, stranger, all)
})
afterAll(async () => {
  await closeIngestServices()
  await stack.close()
})
beforeEach(async () => void (await stack.app.database.admin.query('delete from geo.company_setting')))

interface Span {
  startTime: string
  endTime: string
  metres: number
  averageSpeed: number
  maxSpeed: number
  points: number
  path: string
  startLatitude: number
  explain: { rule: string }
}
interface Trips {
  trips: Span[]
  stops: Span[]
  totals: { metres: number; trips: number }
}
interface Message {
  time: number
  speed?: number
  longitude?: number
  attributes?: Attributes
}

const minute = 60_000
const start = Date.UTC(2026, 3, 1, 8)
/** A device of the company that has sent these. */
async function drive(messages: readonly Message[]): Promise<string> {
  const device = await makeDevice(stack.app.database.admin, { companyId: company.id })
  await ingestServices.writer.write(
    device,
    messages.map(({ time, speed = 0, longitude = 36.82, attributes = {} }) => fixAt(time, { speed, longitude, attributes })),
  )
  return device.deviceId
}
const trips = (
  deviceId: string,
  { from = '2026-04-01', to = from, who = admin }: { from?: string; to?: string; who?: SignedInClient } = {},
) => who.get<Trips>(`/geo/deviceTrips/trip?deviceid=${deviceId}&fromdate=${from}&todate=${to}&zeros=1`)
const set = (body: object, who = admin) =>
  who.put<{ settings: { version: number; keepDays: number | null; keepTripDays: number | null; tripRule: string } }>('/geo/settings', body)
/** A message a minute: km/h of each, 1 km more for each minute that moves. */
const minutes = (speeds: readonly number[]): Message[] => {
  let totalDistance = 500_000
  return speeds.map((speed, index) => ({
    time: start + index * minute,
    speed,
    attributes: { totalDistance: (totalDistance += speed > 0 ? 1_000 : 0) },
  }))
}
const minuteOf = (time: string) => (Date.parse(time) - start) / minute
const spans = (rows: readonly Span[]) => rows.map(({ startTime, endTime }) => [minuteOf(startTime), minuteOf(endTime)])

describe('trips by Traccar’s rule', () => {
  const speeds = [0, 0, 0, 0, 0, 0, 60, 60, 60, 0, 60, 60, 0, 0, 0, 0, 0, 0, 0]

  it('for a company, or for a device with its own rule; our rule is one setting away', async () => {
    const id = await drive(minutes(speeds))
    expect((await trips(id)).body.data.trips).toEqual([])
    expect((await trips(id)).body.meta).toMatchObject({ tripRule: 'arrival' })
    await set({ tripRule: 'traccar' })
    const { body } = await trips(id)
    expect([spans(body.data.trips), spans(body.data.stops)]).toEqual([
      [[6, 12]],
      [
        [0, 6],
        [12, 18],
      ],
    ])
    expect(body.data.trips[0]).toMatchObject({
      metres: 4_000,
      averageSpeed: 40,
      maxSpeed: 60,
      points: 7,
      startLatitude: -1.28,
      explain: { rule: 'traccar' },
    })
    expect([body.data.totals, body.meta]).toMatchObject([
      { trips: 1, metres: 4_000 },
      { tripRule: 'traccar', isPending: false },
    ])
    expect((await admin.put(`/geo/devices/${id}`, { tripRule: 'arrival' })).status).toBe(200)
    expect((await trips(id)).body.meta).toMatchObject({ tripRule: 'arrival' })
    await set({ tripRule: 'arrival' })
    await admin.put(`/geo/devices/${id}`, { tripRule: 'traccar' })
    expect(spans((await trips(id)).body.data.trips)).toEqual([[6, 12]])
    expect((await foreign.get(`/geo/deviceTrips/trip?deviceid=${id}&fromdate=2026-04-01&todate=2026-04-01`)).status).toBe(404)
  })

  it('with the company’s former settings: ten minutes of parking, then the odometer or Traccar’s count', async () => {
    const messages = minutes(speeds).map((one, index) => ({ ...one, attributes: { ...one.attributes, odometer: 90_000 + index * 500 } }))
    const id = await drive(messages)
    await set({ tripRule: 'traccar', tripSettings: { minimalParkingDuration: 600 } })
    expect(spans((await trips(id)).body.data.trips)).toEqual([[6, 18]])
    expect((await trips(id)).body.data.trips[0]?.metres).toBe(6_000)
    await set({ tripSettings: { minimalParkingDuration: 600, ignoreOdometer: true } })
    expect((await trips(id)).body.data.trips[0]?.metres).toBe(4_000)
  })

  it('counts the distance itself where Traccar did not, on its larger earth; the window cuts', async () => {
    // 11 km east in ten minutes, over midnight in Nairobi.
    const midnight = Date.UTC(2026, 3, 1, 21)
    const id = await drive(
      Array.from({ length: 21 }, (_, n) => ({ time: midnight + (n - 10) * minute, speed: 66, longitude: 36.8 + n * 0.01 })),
    )
    await set({ tripRule: 'traccar' })
    const [before, after, both] = [
      await trips(id),
      await trips(id, { from: '2026-04-02' }),
      await trips(id, { from: '2026-04-01', to: '2026-04-02' }),
    ].map(({ body }) => body.data.totals.metres)
    // 0.01 degrees of longitude at 1.28 south, radius 6,378,137 m.
    const leg = ((0.01 * Math.PI) / 180) * 6_378_137 * Math.cos((1.28 * Math.PI) / 180)
    expect([before, after, both].map((metres) => Math.round(metres ?? 0))).toEqual([leg * 9, leg * 10, leg * 20].map(Math.round))
  })

  it('and its spatial rule, whose stop has the time of the confirming position', async () => {
    const at = (n: number, east: number): Message => ({ time: start + n * minute, speed: 30, longitude: 36.82 + east / 111_195 })
    // Five minutes standing, ten driving 500 m each, then standing.
    const id = await drive(Array.from({ length: 30 }, (_, n) => at(n, 500 * Math.min(10, Math.max(0, n - 5)))))
    await set({ tripRule: 'traccar6' })
    const { body } = await trips(id)
    expect([spans(body.data.trips), spans(body.data.stops)]).toEqual([
      [[5, 18]],
      [
        [0, 5],
        [18, 29],
      ],
    ])
    expect(body.data.trips[0]?.metres).toBeCloseTo(((5_000 * 6_378_137) / 6_371_000) * Math.cos((1.28 * Math.PI) / 180), -1)
    expect(body.meta).toMatchObject({ tripRule: 'traccar6' })
  })

  it('covers a month at most', async () => {
    const id = await drive(minutes([0]))
    await set({ tripRule: 'traccar' })
    expect((await trips(id, { from: '2026-03-01', to: '2026-03-31' })).status).toBe(200)
    expect((await trips(id, { from: '2026-03-01', to: '2026-04-05' })).body.fields?.[0]?.field).toBe('todate')
  })
})

interface Case {
  test: string
  ignitionOff?: number[]
  onlyFirstAsserted?: boolean
  positions: { t: string; speedKnots: number; totalDistance: number }[]
  config: {
    minimalTripDistance: number
    minimalTripDurationS: number
    minimalParkingDurationS: number
    minimalNoDataDurationS: number
    useIgnition: boolean
  }
  trips?: { start: string; end: string; distanceM: number; averageSpeedKnots: number; maxSpeedKnots: number }[]
  stops?: { start: string; end: string }[]
}
const file = ['../../../shared/fleet-vectors.json', '../../../../shared/fleet-vectors.json']
  .map((path) => new URL(path, import.meta.url))
  .find((path) => existsSync(path))
const cases = file ? (JSON.parse(readFileSync(file, 'utf8')) as { trips: { cases: Case[] } }).trips.cases : []

describe.skipIf(!file)(
  'vectors of third parties, stored and asked for through the server (they lie beside the project: ../shared/fleet-vectors.json)',
  () => {
    it.each(cases.map((one) => [one.test, one] as const))(
      '%s',
      async (_, { config, positions, ignitionOff, onlyFirstAsserted, ...told }) => {
        const id = await drive(
          positions.map(({ t, speedKnots, totalDistance }, index) => ({
            time: Date.parse(t),
            speed: speedKnots * 1.852,
            attributes: { totalDistance, ...(ignitionOff ? { ignition: !ignitionOff.includes(index) } : {}) },
          })),
        )
        await set({
          tripRule: 'traccar',
          tripSettings: {
            minimalTripDistance: config.minimalTripDistance,
            minimalTripDuration: config.minimalTripDurationS,
            minimalParkingDuration: config.minimalParkingDurationS,
            minimalNoDataDuration: config.minimalNoDataDurationS,
            useIgnition: config.useIgnition,
          },
        })
        const { data } = (await trips(id, { from: '2016-01-01' })).body
        const ends = (rows: readonly { startTime: string; endTime: string }[]) =>
          rows.map(({ startTime, endTime }) => [Date.parse(startTime), Date.parse(endTime)])
        const expected = (rows: readonly { start: string; end: string }[]) =>
          rows.map((row) => [Date.parse(row.start), Date.parse(row.end)])
        if (told.stops) expect(ends(onlyFirstAsserted ? data.stops.slice(0, 1) : data.stops)).toEqual(expected(told.stops))
        if (!told.trips) return
        expect(ends(data.trips)).toEqual(expected(told.trips))
        expect(data.trips.map(({ metres }) => metres)).toEqual(told.trips.map(({ distanceM }) => distanceM))
        for (const [index, trip] of told.trips.entries()) {
          expect((data.trips[index]?.averageSpeed ?? 0) / 1.852).toBeCloseTo(trip.averageSpeedKnots, 1)
          expect((data.trips[index]?.maxSpeed ?? 0) / 1.852).toBeCloseTo(trip.maxSpeedKnots, 4)
        }
      },
    )
  },
)

describe('the settings of a company', () => {
  it('are changed by those whose reach is the whole company, and apply to it alone', async () => {
    expect((await admin.get('/geo/settings')).body.data).toEqual({
      settings: { keepDays: null, keepTripDays: null, tripRule: 'arrival', tripSettings: {}, version: 0 },
    })
    expect((await set({ keepDays: 90 }, director)).body.data.settings).toMatchObject({ keepDays: 90, tripRule: 'arrival', version: 1 })
    expect((await set({ tripRule: 'traccar', version: 1 })).body.data.settings).toMatchObject({
      keepDays: 90,
      tripRule: 'traccar',
      version: 2,
    })
    expect((await set({ keepDays: 30, version: 1 })).body).toMatchObject({ code: 'CONFLICT', details: { version: 2 } })
    expect((await foreign.get('/geo/settings')).body.data).toMatchObject({ settings: { keepDays: null } })
    for (const answer of [await officer.get('/geo/settings'), await set({ keepDays: 1 }, officer)]) expect(answer.status).toBe(403)
    expect((await set({ keepDays: 1 }, local)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('whole company') })
    for (const [body, field] of [
      [{ keepDays: -1 }, 'keepDays'],
      [{ keepDays: 9_999 }, 'keepDays'],
      [{ keepTripDays: 30 }, 'keepTripDays'],
      [{ tripRule: 'mine' }, 'tripRule'],
      [{ tripSettings: { x: 1 } }, 'tripSettings.x'],
    ] as const) {
      expect([body, (await set(body)).body.fields?.[0]?.field]).toEqual([body, field])
    }
    const { rows } = await stack.app.database.admin.query(
      `select "action" from audit_log where "objectId" = $1 and "action" like 'geo.settings%'`,
      [company.id],
    )
    expect(rows.length).toBeGreaterThanOrEqual(2)
  })
})

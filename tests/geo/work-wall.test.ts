import { randomUUID } from 'node:crypto'
import { readIn } from '@outpost/platform/db/context'
import { sql } from '@outpost/platform/db/sql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePositions } from '../../apps/geo/src/live/rows.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeUser } from '../support/make.ts'
import { makeGeoWorld, rowsOf } from './support/api-world.ts'

/** What a phone told outside working time is shown at no door, however it came to be stored. The clock is that of fixed days: 1 April 2026 is a Wednesday. */
const { stack, company, branch, admin, local, sent, makeDevice } = await makeGeoWorld()
afterAll(() => stack.close())

let agent: MadeUser
let phone: string
let van: string
/** Nairobi is three hours ahead; without a calendar of its own a company works from 8 to 17 o'clock. */
const edges = ['04:59:59.999', '05:00:00.000', '13:59:59.999', '14:00:00.000'] as const
const at = (time: string, day = '2026-04-01') => `${day}T${time}Z`
const kept = [at(edges[1]), at(edges[2])]

const place = (deviceId: string, time: string) =>
  sent(
    'insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid") values ($1, $2, $3, -1.28, 36.8, true)',
    [company.id, deviceId, time],
  )
const setLatest = (deviceId: string, time: string) =>
  sent(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid") values ($1, $2, $3, -1.28, 36.8, true)
    on conflict ("companyId", "deviceId") do update set "fixTime" = excluded."fixTime"`,
    [company.id, deviceId, time],
  )

beforeAll(async () => {
  agent = await stack.app.make.user({ company, tenant: branch, role: 'officer' })
  phone = await makeDevice(local, { userId: agent.id })
  van = await makeDevice(local)
  for (const device of [phone, van]) {
    for (const edge of edges) await place(device, at(edge))
    await setLatest(device, at('20:00:00.000'))
    for (const [start, end] of [
      ['05:00:00Z', '06:00:00Z'],
      ['13:30:00Z', '14:10:00Z'],
      ['20:00:00Z', '20:30:00Z'],
    ]) {
      const span = [company.id, device, `2026-04-01T${start}`, `2026-04-01T${end}`]
      await sent(
        `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "points", "explain") values ($1, $2, $3, $4, -1.28, 36.8, -1.3, 36.8, 2000, 9, '{}')`,
        span,
      )
      await sent(
        `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude", "points") values ($1, $2, $3, $4, 'parked', -1.28, 36.8, 5)`,
        span,
      )
      await sent(
        `insert into geo.event ("companyId", "deviceId", "type", "key", "eventTime", "severity", "latitude", "longitude") values ($1, $2, 'alarm', 'sos', $3, 'critical', -1.28, 36.8)`,
        [company.id, device, `2026-04-01T${end}`],
      )
    }
  }
})

const read = async (who: SignedInClient, path: string, many: string) => {
  const answer = await who.get(path)
  expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined])
  return rowsOf(answer, many)
}
const history = async (who: SignedInClient, device: string) =>
  (await read(who, `/geo/positions?deviceId=${device}&from=2026-04-01T00:00:00Z&to=2026-04-02T00:00:00Z`, 'position')).map(
    ({ fixTime }) => fixTime,
  )
const trips = async (who: SignedInClient, device: string) =>
  (await read(who, `/geo/deviceTrips/trip?deviceid=${device}&fromdate=2026-04-01&todate=2026-04-01`, 'trips')).map(
    ({ startTime }) => startTime,
  )
const newest = async (who: SignedInClient, device: string) =>
  (await read(who, '/geo/positions?size=1000', 'position')).filter(({ deviceId }) => deviceId === device).length
/** What the sockets are told is read by the program for the whole company. */
const onSockets = async (device: string) =>
  (
    await readIn<{ deviceId: string }>(
      stack.pools.geo,
      { company: company.id, scope: '*', user: null, tenant: null },
      livePositions(company.id, [sql`l."deviceId" = ${device}::uuid`]),
    )
  ).length

test('the edges of the working day, to the millisecond, in the history of a phone; a vehicle is shown whole', async () => {
  for (const who of [admin, local]) expect(await history(who, phone)).toEqual(kept)
  expect(await history(admin, van)).toEqual(edges.map((edge) => at(edge)))
  for (const edge of edges) {
    const { status } = await admin.get(`/geo/positions/${phone}_${Date.parse(at(edge))}`)
    expect([edge, status]).toEqual([edge, kept.includes(at(edge)) ? 200 : 404])
  }
})

test('the newest place, on the map, in lists and on sockets, is one at work or none', async () => {
  expect([await newest(admin, phone), await newest(admin, van), await onSockets(phone), await onSockets(van)]).toEqual([0, 1, 0, 1])
  const one = async (device: string) =>
    (await admin.get<{ geoDevice: { position: object | null } }>(`/geo/devices/${device}`)).body.data.geoDevice.position
  expect([await one(phone), await one(van)]).toEqual([null, expect.any(Object)])
  await setLatest(phone, at('13:00:00.000'))
  expect([await newest(admin, phone), await onSockets(phone)]).toEqual([1, 1])
})

test('trips, stops and events that work does not hold are not shown, read by a person; the program still forgets them', async () => {
  expect(await trips(admin, phone)).toEqual([at('05:00:00.000')])
  expect(await trips(admin, van)).toHaveLength(3)
  const asPerson = (user: string | null) => ({ company: company.id, scope: '*' as const, user, tenant: null })
  for (const [table, own, all] of [
    ['trip', 1, 3],
    ['stop', 1, 3],
    ['event', 1, 3],
    ['position', 2, 4],
  ] as const) {
    const count = async (user: string | null, device: string) =>
      (
        await readIn<{ n: number }>(
          stack.pools.geo,
          asPerson(user),
          sql`select count(*)::int as n from (${{ trip: sql`select "deviceId" from geo.trip`, stop: sql`select "deviceId" from geo.stop`, event: sql`select "deviceId" from geo.event`, position: sql`select "deviceId" from geo.position` }[table]}) t where t."deviceId" = ${device}::uuid`,
        )
      )[0]!.n
    expect([table, await count(admin.user.id, phone), await count(admin.user.id, van), await count(null, phone)]).toEqual([
      table,
      own,
      all,
      all,
    ])
  }
})

test('a day off, a day begun by oneself and a phone that changes hands are judged as they are now', async () => {
  await sent(
    `insert into agent_action ("companyId", "id", "tenantId", "performedByUserId", "action", "source", "deviceTime", "dateCreated") values ($1, gen_random_uuid(), $2, $3, 1, 'none', $4, $4), ($1, gen_random_uuid(), $2, $3, 0, 'none', $5, $5)`,
    [company.id, branch.id, agent.id, at('19:30:00.000'), at('21:00:00.000')],
  )
  await place(phone, at('20:10:00.000'))
  expect(await history(admin, phone)).toEqual([...kept, at('20:10:00.000')])
  expect(await trips(admin, phone)).toEqual([at('05:00:00.000'), at('20:00:00.000')])
  await sent(
    `insert into holiday ("companyId", "id", "tenantId", "country", "date", "name") select $1::uuid, gen_random_uuid(), $1::uuid, coalesce(nullif(trim("country"), ''), 'ZA'), '2026-04-01', 'Off' from tenant where "id" = $1::uuid`,
    [company.id],
  )
  expect(await history(admin, phone)).toEqual([at('20:10:00.000')])
  const other = await stack.app.make.user({ company, tenant: branch, role: 'officer' })
  expect((await admin.put(`/geo/devices/${phone}`, { userId: other.id })).status).toBe(200)
  expect(await history(admin, phone)).toEqual([])
  expect((await admin.put(`/geo/devices/${phone}`, { userId: null })).status).toBe(200)
  expect(await history(admin, phone)).toHaveLength(5)
})

test('a tracker built into a vehicle stays visible when it names its driver; a phone put on an asset stays a phone', async () => {
  const driver = await stack.app.make.user({ company, tenant: branch, role: 'officer' })
  const [tracker, handset, loose] = [
    await makeDevice(local, { userId: driver.id }),
    await makeDevice(local, { userId: driver.id }),
    await makeDevice(local, { userId: driver.id }),
  ]
  const speaks = (device: string, protocol: string) =>
    sent('update geo.device set "protocol" = $3 where "companyId" = $1 and "id" = $2', [company.id, device, protocol])
  await speaks(tracker, 'teltonika')
  await speaks(handset, 'osmand')
  await speaks(loose, 'teltonika')
  for (const device of [tracker, handset, loose]) {
    for (const edge of edges) await place(device, at(edge))
    await setLatest(device, at('20:00:00.000'))
    await sent(
      `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "points", "explain") values ($1, $2, '2026-04-08T20:00Z', '2026-04-08T20:30Z', -1.28, 36.8, -1.3, 36.8, 2000, 9, '{}')`,
      [company.id, device],
    )
  }
  for (const [device, plate] of [
    [tracker, 'KDA 1'],
    [handset, 'KDA 2'],
  ] as const) {
    const asset = randomUUID()
    await sent('insert into asset ("companyId", "id", "tenantId", "registrationNumber") values ($1, $2, $3, $4)', [
      company.id,
      asset,
      branch.id,
      plate,
    ])
    await sent('insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") values ($1, $2, $3, $4)', [
      company.id,
      device,
      asset,
      '2026-01-01T00:00Z',
    ])
  }
  // A day on which nobody is off.
  const shown = async (device: string) => [await newest(admin, device), await onSockets(device), (await tripsOn(device)).length]
  const tripsOn = (device: string) => read(admin, `/geo/deviceTrips/trip?deviceid=${device}&fromdate=2026-04-08&todate=2026-04-08`, 'trips')
  expect(await shown(tracker)).toEqual([1, 1, 1])
  expect(await history(admin, tracker)).toHaveLength(4)
  expect(await shown(handset)).toEqual([0, 0, 0])
  expect(await shown(loose)).toEqual([0, 0, 0])
  // On the driver's own page the night is private all the same.
  const own = await read(admin, `/geo/usertraking/trip?userId=${driver.id}&fromdate=2026-04-08&todate=2026-04-08`, 'trips')
  expect(own).toEqual([])
  // What comes in is judged the same way, without consent.
  const night = at('20:00:00.000', '2026-04-08')
  const taken = async (device: string) =>
    (
      await stack.app.database.admin.query('select ctx.trackable_by($1, $2, $3, array[$4]::timestamptz[])', [
        company.id,
        driver.id,
        device,
        night,
      ])
    ).rows.length
  expect([await taken(tracker), await taken(handset), await taken(loose)]).toEqual([1, 0, 0])
  // Taken off the vehicle it counts as what a person carries.
  await sent('update geo.device_asset set "until" = now() where "companyId" = $1 and "deviceId" = $2', [company.id, tracker])
  expect(await shown(tracker)).toEqual([0, 0, 0])
})

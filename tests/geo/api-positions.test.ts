import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Answer, SignedInClient } from '../support/app.ts'
import { everything, idOf, makeGeoWorld, rowsOf } from './support/api-world.ts'

const { stack, company, stranger, branch, admin, foreign, local, viewer, sent, makeDevice, drive } = await makeGeoWorld()
afterAll(() => stack.close())

describe('positions', () => {
  test('without a device: the newest of each in the caller’s reach', async () => {
    const [mine, theirs] = [await makeDevice(local), await makeDevice(foreign)]
    await drive(mine, [{ ago: 5 }])
    await drive(theirs, [{ ago: 5 }], stranger)
    expect(rowsOf(await local.get('/geo/positions'), 'position').map((row) => row.deviceId)).toEqual([mine])
    const all = rowsOf(await admin.get('/geo/positions?size=1000'), 'position').map((row) => row.deviceId)
    expect([all.includes(mine), all.includes(theirs)]).toEqual([true, false])
  })

  test('with a device: its history in order, page by page, each position once', async () => {
    const id = await makeDevice()
    const times = await drive(
      id,
      Array.from({ length: 25 }, (_, n) => ({ ago: 1_000 - n * 10, attributes: { ignition: n >= 10, sat: n } })),
    )
    const seen: unknown[] = []
    let after: string | null = ''
    for (let pages = 0; after !== null && pages < 10; pages += 1) {
      const answer: Answer = await admin.get(`/geo/positions?deviceId=${id}&size=10${after ? `&after=${after}` : ''}`)
      seen.push(...rowsOf(answer, 'position').map((row) => row.fixTime))
      after = (answer.body.meta as unknown as { next: string | null }).next
    }
    expect(seen).toEqual(times.map((time) => new Date(time).toISOString()))
    const report = rowsOf(await admin.get(`/geo/positions?deviceId=${id}&size=100&fields=event,Satellites`), 'position')
    expect(report[10]).toEqual({ event: 'Ignition On', Satellites: 10 })
    expect(report.filter((row) => row.event !== 'Position Report')).toHaveLength(1)
    const from = new Date(times[20]!).toISOString()
    expect(rowsOf(await admin.get(`/geo/positions?deviceId=${id}&from=${encodeURIComponent(from)}`), 'position')).toHaveLength(5)
  })

  test('a page ends before it is too large for the server, and the next one continues', async () => {
    const id = await makeDevice()
    const times = await drive(
      id,
      Array.from({ length: 12 }, (_, n) => ({ ago: 500 - n, attributes: { raw: 'x'.repeat(900_000) } })),
    )
    const first = await admin.get(`/geo/positions?deviceId=${id}`)
    const { next } = first.body.meta as unknown as { next: string }
    expect([first.status, rowsOf(first, 'position').length, next]).toEqual([200, 6, `${id}_${times[5]}`])
    const second = await admin.get(`/geo/positions?deviceId=${id}&after=${next}`)
    expect([rowsOf(second, 'position').length, second.body.meta]).toMatchObject([6, { next: null }])
  })

  test('a straight line is simplified to its ends', async () => {
    const id = await makeDevice()
    await drive(id, [
      ...Array.from({ length: 20 }, (_, n) => ({ ago: 900 - n * 10, longitude: 36.8 + n * 0.001 })),
      { ago: 100, latitude: -1.3, longitude: 36.9 },
      { ago: 90, latitude: null, longitude: null },
    ])
    const answer = await admin.get(`/geo/positions?deviceId=${id}&simplify=20`)
    expect(rowsOf(answer, 'position')).toHaveLength(3)
    expect(answer.body.meta).toMatchObject({ points: 21, isCut: false })
  })

  test('one by its id; foreign and unknown ones are not found, wrong input is named', async () => {
    const id = await makeDevice()
    const [time] = await drive(id, [{ ago: 60, attributes: { alarm: 'sos' } }])
    for (const key of [`${id}_${time}`, id])
      expect((await admin.get(`/geo/positions/${key}`)).body.data.position).toMatchObject({ deviceId: id, attributes: { alarm: 'sos' } })
    for (const [who, path] of [
      [foreign, `positions/${id}_${time}`],
      [local, `positions/${id}`],
      [admin, `positions/${id}_1`],
      [admin, `positions/7`],
      [foreign, `positions?deviceId=${id}`],
    ] as const)
      expect([path, (await who.get(`/geo/${path}`)).status]).toEqual([path, 404])
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['from=2026-02-01&to=2026-01-01', 'from'],
      ['fields=password', 'fields'],
      ['after=x', 'after'],
      ['simplify=0', 'simplify'],
      ['size=20000', 'size'],
    ]) {
      expect([query, (await admin.get(`/geo/positions?deviceId=${id}&${query}`)).body.fields?.[0]?.field]).toEqual([query, field])
    }
  })
})

describe('mapzoom', () => {
  test('clusters close devices, returns them singly on request, and answers 304 while nothing moves', async () => {
    const { make } = stack.app
    const other = await make.tenant({ company })
    const who = await stack.app.as(
      await make.user({ company, tenant: other, role: await make.role({ company, name: randomUUID(), permissions: everything }) }),
      { tenant: other },
    )
    const ids = [await makeDevice(who), await makeDevice(who), await makeDevice(who)]
    await drive(ids[0]!, [{ ago: 10, latitude: -1.2864, longitude: 36.8172 }])
    await drive(ids[1]!, [{ ago: 10, latitude: -1.28641, longitude: 36.81721 }])
    await drive(ids[2]!, [{ ago: 10, latitude: -4.05, longitude: 39.66 }])
    const whole = await who.get('/geo/mapzoom/zoom/15/0/0')
    expect(whole.body.data).toMatchObject({ clusters: [{ count: 2, byStatus: { parked: 2 } }], devices: [{ deviceId: ids[2] }] })
    const singles = await who.get('/geo/mapzoom/zoom/15/0/0?forceNoSum=1')
    expect([
      rowsOf(singles, 'clusters'),
      rowsOf(singles, 'devices')
        .map((row) => row.deviceId)
        .sort(),
    ]).toEqual([[], [...ids].sort()])
    // Nairobi's tile of zoom 10 and its neighbours do not hold Mombasa.
    const tile = await who.get('/geo/mapzoom/zoom/10/616/515')
    expect([rowsOf(tile, 'clusters').length, rowsOf(tile, 'devices').length]).toEqual([1, 0])
    const etag = String(tile.headers.etag)
    expect((await who.get('/geo/mapzoom/zoom/10/616/515', { 'if-none-match': etag })).status).toBe(304)
    await drive(ids[0]!, [{ ago: 1, latitude: -4.06, longitude: 39.67 }])
    expect((await who.get('/geo/mapzoom/zoom/10/616/515', { 'if-none-match': etag })).status).toBe(200)
    expect((await foreign.get('/geo/mapzoom/zoom/15/0/0')).text).not.toContain(ids[2])
    expect((await who.get('/geo/mapzoom/zoom/99/0/0')).status).toBe(422)
    const refused = async (tile: string) => (await who.get(`/geo/mapzoom/zoom/${tile}`)).body.fields
    expect(await refused('3/99/99')).toEqual([
      { field: 'x', message: 'is no tile of zoom 3: 0 to 7' },
      { field: 'y', message: 'is no tile of zoom 3: 0 to 7' },
    ])
    for (const [tile, field] of [
      ['3/8/0', 'x'],
      ['3/0/8', 'y'],
      ['3/-1/0', 'x'],
      ['0/0/1', 'y'],
    ] as const)
      expect([tile, (await refused(tile))?.map((one) => one.field)]).toEqual([tile, [field]])
    for (const tile of ['3/7/7', '0/0/0', '22/4194303/0'])
      expect([tile, (await who.get(`/geo/mapzoom/zoom/${tile}`)).status]).toEqual([tile, 200])
  })
})

describe('trips', () => {
  const makeTrip = (deviceId: string, start: string, end: string | null, metres: number) =>
    sent(
      `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude", "metres", "movingSeconds", "maxSpeed", "path", "endReason")
    values ($1, $2, $3, $4, -1.28, 36.8, $5, 600, 80, '_p~iF~ps|U', 'still')`,
      [company.id, deviceId, start, end, metres],
    )

  test('of a device on whole days of the company, with stops and totals; zero-distance trips only on request', async () => {
    const id = await makeDevice()
    // Nairobi is three hours ahead: the first one began on the 1st there, and ends on it.
    await makeTrip(id, '2026-03-31T21:30:00Z', '2026-03-31T22:00:00Z', 9_000)
    await makeTrip(id, '2026-04-02T20:30:00Z', '2026-04-02T21:30:00Z', 4_000)
    await makeTrip(id, '2026-04-02T10:00:00Z', '2026-04-02T10:05:00Z', 3)
    await makeTrip(id, '2026-04-02T21:45:00Z', '2026-04-02T22:00:00Z', 1_000)
    await sent(
      `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude") values ($1, $2, '2026-03-31T22:00:00Z', '2026-04-02T10:00:00Z', 'parked', -1.28, 36.8)`,
      [company.id, id],
    )
    const ask = (query: string) => admin.get(`/geo/deviceTrips/trip?deviceid=${id}&${query}`)
    const days = await ask('fromdate=2026-04-01&todate=2026-04-02')
    expect(rowsOf(days, 'trips').map((trip) => trip.metres)).toEqual([9_000, 4_000])
    expect(days.body.data).toMatchObject({
      device: { id },
      stops: [{ kind: 'parked' }],
      totals: { trips: 2, metres: 13_000, movingSeconds: 1_200, maxSpeed: 80 },
    })
    expect(days.body.meta).toMatchObject({ total: 2, timeZone: 'Africa/Nairobi', isPending: false })
    expect(rowsOf(await ask('fromdate=2026-04-02&todate=2026-04-02&zeros=1'), 'trips').map((trip) => trip.metres)).toEqual([3, 4_000])
    await sent(`insert into geo.dirty ("companyId", "deviceId", "since", "until") values ($1, $2, '2026-04-01', '2026-04-03')`, [
      company.id,
      id,
    ])
    expect((await ask('fromdate=2026-04-01&todate=2026-04-02')).body.meta).toMatchObject({ isPending: true })
    expect((await foreign.get(`/geo/deviceTrips/trip?deviceid=${id}&fromdate=2026-04-01&todate=2026-04-02`)).status).toBe(404)
    for (const [query, field] of [
      ['fromdate=2026-04-01', 'todate'],
      ['fromdate=1.4.2026&todate=2026-04-02', 'fromdate'],
      ['fromdate=2026-04-02&todate=2026-04-01', 'todate'],
      ['fromdate=2025-01-01&todate=2026-04-01', 'todate'],
    ]) {
      expect([query, (await ask(query!)).body.fields?.[0]?.field]).toEqual([query, field])
    }
  })

  test('of a person: of their trackers and of their phone', async () => {
    const { make } = stack.app
    const agent = await make.user({ company, tenant: branch, role: 'officer' })
    const tracker = await makeDevice(admin, { userId: agent.id })
    await makeTrip(tracker, '2026-04-01T05:00:00Z', '2026-04-01T05:30:00Z', 7_000)
    // Half an hour at a shop, four kilometres east in ten minutes, half an hour there; and a place only remembered.
    const points = Array.from({ length: 71 }, (_, minute) => ({
      minute,
      longitude: 36.8 + 0.0036 * Math.min(10, Math.max(0, minute - 30)),
    }))
    for (const { minute, longitude } of [...points, { minute: 50.5, longitude: 38 }]) {
      await sent(
        `insert into user_position ("companyId", "userId", "tenantId", "id", "deviceTime", "latitude", "longitude", "accuracy", "source") values ($1, $2, $3, $4, $5, -1.28, $6, 10, $7)`,
        [
          company.id,
          agent.id,
          branch.id,
          randomUUID(),
          new Date(Date.parse('2026-04-01T08:00:00Z') + minute * 60_000),
          longitude,
          longitude === 38 ? 'cached_old' : 'live',
        ],
      )
    }
    const path = `/geo/usertraking/trip?userId=${agent.id}&fromdate=2026-04-01&todate=2026-04-01`
    const answer = await admin.get(path)
    const [first, phone, ...more] = rowsOf(answer, 'trips')
    expect([first?.deviceId, first?.metres, phone?.source, more]).toEqual([tracker, 7_000, 'phone', []])
    expect(Math.abs(Number(phone?.metres) - 4_001)).toBeLessThan(450)
    expect(rowsOf(answer, 'stops').length).toBe(2)
    expect(answer.body.data.user).toEqual({ id: agent.id, deviceIds: [tracker] })
    // The branch's people are seen there; the tracker is the company's.
    expect(rowsOf(await local.get(path), 'trips').map((trip) => trip.source)).toEqual(['phone'])
    expect((await foreign.get(path)).status).toBe(404)
    expect(
      (await admin.get(`/geo/usertraking/trip?userId=${admin.user.id}&fromdate=2026-04-01&todate=2026-04-01`)).body.data.trips,
    ).toEqual([])
    expect((await admin.get('/geo/usertraking/trip?userId=7&fromdate=2026-04-01&todate=2026-04-01')).body.fields?.[0]?.field).toBe('userId')
  })
})

test('the name of a place: the company’s own, else from the bundled places; never an error', async () => {
  const ask = (who: SignedInClient, place: string) => who.get(`/geo/geocoding/position/${place}`)
  await foreign.post('/geo/geofences', { name: 'Their secret yard', area: 'CIRCLE (-2.5 37.5, 300)' })
  expect((await ask(viewer, '-2.5,37.5')).text).not.toContain('secret')
  const id = idOf(await admin.post('/geo/geofences', { name: 'Our yard', area: 'CIRCLE (-2.5 37.5, 300)' }), 'geofence')
  expect((await ask(viewer, '-2.5,37.5')).body.data).toMatchObject({
    address: 'Our yard',
    source: 'fence',
    placeId: id,
    latitude: -2.5,
    longitude: 37.5,
  })
  expect((await ask(viewer, '151.2,-33.9')).body.data).toMatchObject({
    latitude: -33.9,
    longitude: 151.2,
    source: 'place',
    address: expect.stringContaining('Australia'),
  })
  expect((await ask(viewer, '-48.8,-123.4')).body.data).toMatchObject({ source: 'coordinates' })
  for (const nowhere of ['0,0', '999,999', '-91,-181'])
    expect((await ask(viewer, nowhere)).body).toMatchObject({
      code: 'NO_POSITION',
      message: 'No position available',
      details: { code: 101 },
      fields: [{ field: 'coordinates' }],
    })
  expect((await ask(viewer, '1,x')).status).toBe(422)
})

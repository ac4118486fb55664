import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workAlways } from '../../support/at-work.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
  await workAlways(world.app.make, world.company.id)
})
afterAll(() => world.app.close())

interface Stored {
  id: string
  source: string
  flags: string[] | null
  latitude: number
}
interface Row {
  Id: string
  latitude: number
  longitude: number
  source: string
  flags: string[]
  battery: number
  accuracy: number
  entityId: string | null
}
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const place = (over: object = {}) => ({
  type: 'user_position',
  latitude: -1.2921,
  longitude: 36.8219,
  accuracy: 12,
  battery: 81,
  deviceTime: minutesAgo(0),
  ...over,
})
const today = new Date().toISOString().slice(0, 10)
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const trackOf = async (by: World['as']['officer'], id: string) =>
  (await by.get<{ userTracking: Row[] }>(`/api/usertracking/datewithid/${minutesAgo(60 * 24 * 5)}/${tomorrow}/${id}`)).body.data
    .userTracking

describe('a position', () => {
  it('is kept with both clocks, once however often it is sent, and shown to its user and the manager', async () => {
    const Id = randomUUID()
    const body = place({ Id, speed: 1.4 })
    for (let sent = 0; sent < 3; sent += 1) expect((await world.as.officer.post('/api/usertracking', body)).status).toBe(200)
    for (const who of [world.as.officer, world.as.manager, world.as.admin]) {
      const mine = (await trackOf(who, world.people.officer.id)).filter((row) => row.Id === Id)
      expect(mine).toMatchObject([{ latitude: -1.2921, longitude: 36.8219, accuracy: 12, battery: 81, source: 'live', flags: [] }])
    }
    const { rows } = await world.app.database.admin.query('select "tenantId", "serverTime" from user_position where id = $1', [Id])
    expect(rows).toMatchObject([{ tenantId: world.team.id }])
  })

  it.each([
    [0, 36.8],
    [-1.2, 0],
    [999, 999],
    [-1.2, 999],
    [undefined, undefined],
    [null, 36.8],
  ])('with %s, %s is refused with code 101', async (latitude, longitude) => {
    const { status, body } = await world.as.officer.post('/api/usertracking', place({ latitude, longitude }))
    expect([status, body.code, body.message, body.details]).toEqual([422, 'NO_POSITION', 'No position available', { code: 101 }])
  })

  it('of an activity needs the caller among its agents', async () => {
    const created = await world.as.officer.post<{ activity: { Id: string } }>('/api/activities', {
      name: 'Visit',
      startDate: minutesAgo(0),
      endDate: minutesAgo(-60),
    })
    const activityId = created.body.data.activity.Id
    expect((await world.as.officer.post('/api/usertracking', place({ activityId }))).status).toBe(200)
    expect((await trackOf(world.as.officer, world.people.officer.id)).some(({ entityId }) => entityId === activityId)).toBe(true)
    const { status, body } = await world.as.manager.post('/api/usertracking', place({ activityId }))
    expect([status, body.message, body.details]).toEqual([422, 'No activity assignment found', { code: 101 }])
  })

  it('is filed for the caller only, by times that can be', async () => {
    expect((await world.as.officer.post('/api/usertracking', place({ userId: world.people.manager.id }))).status).toBe(403)
    expect(fieldsOf(await world.as.officer.post('/api/usertracking', place({ deviceTime: minutesAgo(60 * 24 * 61) })))).toEqual([
      'deviceTime',
    ])
    expect(fieldsOf(await world.as.officer.post('/api/usertracking', place({ accuracy: -1, battery: 200, altitude: 3 })))).toEqual([
      'accuracy',
      'altitude',
      'battery',
    ])
  })

  it('says how much it is worth: an accuracy of 9999 is an old fix', async () => {
    const { body } = await world.as.officer.post<{ userTracking: Stored }>('/api/usertracking', place({ accuracy: 9_999 }))
    expect(body.data.userTracking).toMatchObject({ source: 'cached_old', flags: ['inaccurate'] })
    expect(
      (await world.as.officer.post<{ userTracking: Stored }>('/api/usertracking', place({ source: 'cached' }))).body.data.userTracking
        .source,
    ).toBe('cached')
  })
})

describe('a batch that waited offline', () => {
  it('is judged in the order of time: teleport, standing still, wrong clock', async () => {
    const who = world.as.elsewhere
    const positions = [
      place({ deviceTime: minutesAgo(100), latitude: -4.05, longitude: 39.67 }),
      place({ deviceTime: minutesAgo(110) }),
      ...Array.from({ length: 9 }, (_, index) => place({ deviceTime: minutesAgo(50 - index), latitude: -4.05, longitude: 39.67 })),
    ]
    const { body } = await who.post<{ userTracking: Stored[] }>('/api/usertracking', { positions, sentAt: minutesAgo(0) })
    expect(body.data.userTracking.map(({ flags }) => flags)).toEqual([
      null,
      ['teleport'],
      ...Array.from({ length: 8 }, () => null),
      ['identical'],
    ])
    const late = await who.post<{ userTracking: Stored[] }>('/api/usertracking', {
      positions: [place({ source: 'cached' })],
      sentAt: minutesAgo(-30),
    })
    expect(late.body.data.userTracking[0]?.flags).toEqual(['clock_skew'])
    const ahead = await who.post<{ userTracking: Stored }>('/api/usertracking', place({ source: 'cached', deviceTime: minutesAgo(-11) }))
    expect(ahead.body.data.userTracking.flags).toEqual(['clock_skew'])
  })

  it('is whole or not at all', async () => {
    const before = (await trackOf(world.as.officer, world.people.officer.id)).length
    expect((await world.as.officer.post('/api/usertracking', { positions: [place(), place({ latitude: 0 })] })).status).toBe(422)
    expect(await trackOf(world.as.officer, world.people.officer.id)).toHaveLength(before)
  })
})

describe('a track', () => {
  it('is no business of colleagues, other branches or other companies', async () => {
    const path = `/api/usertracking/datewithid/${today}/${today}/${world.people.officer.id}`
    expect((await world.as.elsewhere.get(path)).status).toBe(403)
    expect((await world.as.foreign.get(path)).status).toBe(404)
    const other = await world.app.as(await world.app.make.user({ tenant: world.other, role: 'branch' }))
    expect((await other.get(path)).status).toBe(404)
    expect(fieldsOf(await world.as.officer.get('/api/usertracking/datewithid/never/2026-01-01/x'))).toEqual(['from', 'id'])
  })
})

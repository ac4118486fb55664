import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { workAlways } from '../../support/at-work.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

interface Own {
  trackingConsent: { Id: string; status: string; givenAt: string | null; askedAt: string | null } | null
}
interface Row {
  userId: string
  status: string
  personName: string
}
const hour = 3_600_000
const rowsOf = async <Found extends object>(text: string, values: unknown[]) =>
  (await world.app.database.admin.query<Found>(text, values)).rows
/** A person of the field whom nobody has asked. */
async function newcomer(tenant = world.team): Promise<{ id: string; client: SignedInClient }> {
  const user = await world.app.make.user({ tenant, role: 'officer' })
  await rowsOf('delete from tracking_consent where "userId" = $1', [user.id])
  return { id: user.id, client: await world.app.as(user, { tenant }) }
}
const answer = (who: SignedInClient, status: string, textVersion: unknown = 1) =>
  who.post<Own>('/api/tracking-consents/mine', { status, textVersion })
const at = (time: number) => ({
  Id: randomUUID(),
  latitude: -1.29,
  longitude: 36.82,
  accuracy: 10,
  deviceTime: new Date(time).toISOString(),
})
const send = async (who: SignedInClient, times: readonly number[]) =>
  (await who.post<{ stored: number; notKept: number }>('/api/usertracking', { positions: times.map(at) })).body.data
const stored = async (userId: string) =>
  (await rowsOf<{ deviceTime: Date }>('select "deviceTime" from user_position where "userId" = $1 order by 1', [userId])).map(
    ({ deviceTime }) => deviceTime.getTime(),
  )
/** Ten in the morning in Nairobi, of the last day of that name (1 Monday) that is over. */
function ten(weekday: number): number {
  for (let day = Date.now() - 24 * hour; ; day -= 24 * hour) {
    const moment = Date.parse(`${new Date(day).toISOString().slice(0, 10)}T07:00:00Z`)
    if (new Date(moment).getUTCDay() === weekday % 7) return moment
  }
}

test('nobody is followed who was not asked or said no; a yes holds from then on and is taken back at once', async () => {
  await workAlways(world.app.make, world.company.id)
  const { id, client } = await newcomer()
  expect((await client.get<Own>('/api/tracking-consents/mine')).body.data).toEqual({ trackingConsent: null, companyPhone: null })
  expect(await send(client, [Date.now() - hour])).toMatchObject({ stored: 0, notKept: 1 })
  expect((await client.post('/api/usertracking', at(Date.now()))).body.data).toEqual({ userTracking: null, stored: 0, notKept: 1 })
  expect((await answer(client, 'Declined')).body.data.trackingConsent).toMatchObject({ status: 'Declined', givenAt: null })
  expect(await send(client, [Date.now()])).toMatchObject({ stored: 0 })
  expect(fieldsOf(await answer(client, 'Withdrawn'))).toEqual(['status'])
  expect(fieldsOf(await answer(client, 'Asked'))).toEqual(['status'])
  expect(fieldsOf(await answer(client, 'Given', 7))).toEqual(['textVersion'])
  const before = Date.now() - 1_000
  expect((await answer(client, 'Given')).body.data.trackingConsent!.status).toBe('Given')
  const since = Date.now() + 5
  // What waited on the phone from before the yes is left; the five at once say the same.
  expect(await send(client, [before - hour, since])).toMatchObject({ stored: 1, notKept: 1 })
  expect(await stored(id)).toEqual([since])
  await Promise.all(Array.from({ length: 5 }, () => answer(client, 'Withdrawn')))
  expect(await send(client, [since + 5])).toMatchObject({ stored: 0, notKept: 1 })
  const acts = await rowsOf<{ action: string }>(
    `select "action" from audit_log where "companyId" = $1 and "userId" = $2 and "objectType" = 'trackingConsent' order by "seq"`,
    [world.company.id, id],
  )
  expect(acts.map(({ action }) => action)).toEqual(['trackingConsent.declined', 'trackingConsent.given', 'trackingConsent.withdrawn'])
})

test('the hours of the branch, its days off and days begun by oneself are working time; the rest is neither kept nor shown', async () => {
  const branch = await world.app.make.tenant({ company: world.stranger, name: 'Kisumu' })
  const { make } = world.app
  const manager = await world.app.as(await make.user({ company: world.stranger, role: 'md' }))
  const user = await make.user({ tenant: branch, role: 'officer' })
  const client = await world.app.as(user, { tenant: branch })
  const zone = (
    await rowsOf<{ zone: string }>(`select coalesce(nullif("timeZone", ''), 'Africa/Johannesburg') as zone from tenant where id = $1`, [
      world.stranger.id,
    ])
  )[0]!.zone
  // Ten o'clock in Africa is office time in each of its zones that we have; nine in the evening is not.
  expect(['Africa/Nairobi', 'Africa/Johannesburg', 'Africa/Lusaka']).toContain(zone)
  const [monday, saturday] = [ten(1), ten(6)]
  expect(await send(client, [monday, monday + 11 * hour, saturday])).toMatchObject({ stored: 1, notKept: 2 })
  // A day begun on Saturday is work, until it is ended.
  const act = (action: number, time: number) =>
    make.row('agent_action', {
      companyId: world.stranger.id,
      id: randomUUID(),
      tenantId: branch.id,
      performedByUserId: user.id,
      action,
      deviceTime: new Date(time),
      dateCreated: new Date(time + 60_000),
      source: 'none',
    })
  await act(1, saturday - 600_000)
  await act(0, saturday + hour)
  expect(await send(client, [saturday, saturday + 2 * hour])).toMatchObject({ stored: 1, notKept: 1 })
  // A day off of the branch is none of work.
  const tuesday = ten(2)
  const day = new Date(tuesday).toISOString().slice(0, 10)
  const country =
    (await rowsOf<{ country: string | null }>('select trim("country") as country from tenant where id = $1', [world.stranger.id]))[0]!
      .country || 'ZA'
  await make.row('holiday', {
    companyId: world.stranger.id,
    id: randomUUID(),
    tenantId: world.stranger.id,
    country,
    date: day,
    name: 'A day off',
  })
  expect(await send(client, [tuesday])).toMatchObject({ stored: 0 })
  await make.row('holiday', {
    companyId: world.stranger.id,
    id: randomUUID(),
    tenantId: branch.id,
    country,
    date: day,
    name: 'Open',
    isWorked: true,
  })
  expect(await send(client, [tuesday])).toMatchObject({ stored: 1 })
  // What an older Outpost kept is not shown.
  await make.row('user_position', {
    companyId: world.stranger.id,
    userId: user.id,
    tenantId: branch.id,
    id: randomUUID(),
    deviceTime: new Date(monday + 12 * hour),
    latitude: -1,
    longitude: 36,
  })
  const from = new Date(Math.min(monday, saturday, tuesday) - 24 * hour).toISOString()
  const track = (
    await manager.get<{ userTracking: { deviceTime: string }[] }>(
      `/api/usertracking/datewithid/${from}/${new Date().toISOString()}/${user.id}`,
    )
  ).body.data.userTracking
  expect(track.map(({ deviceTime }) => Date.parse(deviceTime))).toEqual([monday, saturday, tuesday].toSorted((a, b) => a - b))
})

test('the office asks once whom it reaches, sees the answers of its reach alone, and cannot answer for anybody', async () => {
  const [near, far] = [await newcomer(), await newcomer(world.other)]
  const { manager, admin, foreign, officer } = world.as
  const asked = await Promise.all(Array.from({ length: 5 }, () => manager.post<{ asked: number }>('/api/tracking-consents/ask', {})))
  expect(asked.map(({ body }) => body.data.asked).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1])
  expect((await near.client.get<Own>('/api/tracking-consents/mine')).body.data.trackingConsent).toMatchObject({
    status: 'Asked',
    askedAt: expect.any(String),
  })
  expect((await far.client.get<Own>('/api/tracking-consents/mine')).body.data.trackingConsent).toBeNull()
  expect(await rowsOf('select 1 from notification where "userId" = $1 and "link" = $2', [near.id, '/profile'])).toHaveLength(1)
  const list = async (who: SignedInClient) =>
    (await who.get<{ trackingConsents: Row[] }>('/api/tracking-consents?size=1000')).body.data.trackingConsents.map(({ userId }) => userId)
  expect(await list(manager)).toContain(near.id)
  await answer(far.client, 'Given')
  expect(await list(manager)).not.toContain(far.id)
  expect(await list(admin)).toEqual(expect.arrayContaining([near.id, far.id]))
  expect(await list(foreign)).not.toContain(near.id)
  expect((await officer.get('/api/tracking-consents')).status).toBe(403)
  expect((await officer.post('/api/tracking-consents/ask', {})).status).toBe(403)
  expect(fieldsOf(await near.client.post('/api/tracking-consents/mine', { status: 'Given', textVersion: 1, userId: far.id }))).not.toEqual(
    [],
  )
})

test('what an older Outpost kept from outside working time is on no map, in no day, no route and no kilometre', async () => {
  const { make } = world.app
  const company = await make.company({ name: 'Old tracks' })
  const manager = await world.app.as(await make.user({ company, role: 'md' }))
  const user = await make.user({ company, role: 'officer' })
  const monday = ten(1)
  // Eight and seventeen o'clock of that day, to the millisecond; a degree apart, so that each would count many kilometres.
  const times = [monday - 2 * hour - 1, monday - 2 * hour, monday + 7 * hour - 1, monday + 7 * hour, monday + 9 * hour]
  const zone = (
    await rowsOf<{ zone: string }>(`select coalesce(nullif("timeZone", ''), 'Africa/Johannesburg') as zone from tenant where id = $1`, [
      company.id,
    ])
  )[0]!.zone
  const shift = zone === 'Africa/Nairobi' ? 0 : hour
  for (const [index, time] of times.entries())
    await make.row('user_position', {
      companyId: company.id,
      userId: user.id,
      tenantId: company.id,
      id: randomUUID(),
      deviceTime: new Date(time + shift),
      latitude: -1 - index * 0.1,
      longitude: 36,
      source: 'live',
      accuracy: 5,
    })
  const shown = times.slice(1, 3).map((time) => new Date(time + shift).toISOString())
  const day = new Date(monday).toISOString().slice(0, 10)
  const map = await manager.get<{ agents: { Id: string; deviceTime: string | null }[] }>('/api/agent/positions')
  expect(map.body.data.agents.filter(({ Id }) => Id === user.id).map(({ deviceTime }) => Date.parse(deviceTime ?? ''))).toEqual([
    times[2]! + shift,
  ])
  const timeline = (await manager.get<{ track: { at: string }[]; totals: { km: number } }>(`/api/agent/timeline/${user.id}/${day}`)).body
    .data
  expect(timeline.track.map(({ at: moment }) => new Date(moment).toISOString())).toEqual(shown)
  expect(timeline.totals.km).toBeCloseTo(11.1, 0)
  const overview = (
    await manager.get<{ agents: { userId: string; km: number }[] }>(`/api/activities/activity-plan/day-overview?date=${day}`)
  ).body.data.agents
  expect(overview.filter(({ userId }) => userId === user.id).map(({ km }) => Math.round(km))).toEqual([11])
})

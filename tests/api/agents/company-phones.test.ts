import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
  // A calendar without hours: only a day that somebody begins is working time.
  await world.app.make.row('working_calendar', { companyId: world.company.id, id: randomUUID(), tenantId: world.company.id })
})
afterAll(() => world.app.close())

const rowsOf = async <Found extends object>(text: string, values: unknown[]) =>
  (await world.app.database.admin.query<Found>(text, values)).rows
interface Phone {
  id: string
  userId: string
  /** Signed in on the phone, and on another one. */
  client: SignedInClient
  other: SignedInClient
}
/** A person of the field at work since an hour, whom nobody asked, with a work device that has reported. */
async function person(tenant = world.team): Promise<Phone> {
  const user = await world.app.make.user({ tenant, role: 'officer' })
  await rowsOf('delete from tracking_consent where "userId" = $1', [user.id])
  const client = await world.app.as(user, { tenant })
  const [session] = await rowsOf<{ id: string }>('select "id" from session where "userId" = $1', [user.id])
  const id = randomUUID()
  await rowsOf(
    'insert into sync_device ("companyId", "deviceId", "userId", "tenantId", "sessionId", "id", "lastSeen") values ($1, gen_random_uuid(), $2, $3, $4, $5, now())',
    [world.company.id, user.id, tenant.id, session!.id, id],
  )
  await act(user.id, tenant.id, 1, Date.now() - 3_600_000)
  return { id, userId: user.id, client, other: await world.app.as(user, { tenant }) }
}
const act = (userId: string, tenantId: string, action: number, at: number) =>
  world.app.make.row('agent_action', {
    companyId: world.company.id,
    id: randomUUID(),
    tenantId,
    performedByUserId: userId,
    action,
    deviceTime: new Date(at),
    dateCreated: new Date(at),
    source: 'none',
  })
const mark = (who: SignedInClient, id: string, body: object = { reason: 'Bought for the field team' }) =>
  who.post<{ companyPhone: { Id: string; since: string } }>(`/api/sync/devices/${id}/company-phone`, body)
const send = async (who: SignedInClient, at = Date.now()) =>
  (await who.post<{ stored: number }>('/api/usertracking', { latitude: -1.29, longitude: 36.82, deviceTime: new Date(at).toISOString() }))
    .body.data.stored
const mine = async (who: SignedInClient) =>
  (await who.get<{ companyPhone: { reason: string } | null }>('/api/tracking-consents/mine')).body.data.companyPhone

test('a phone of the company is followed at work without consent, from its mark to its end; its person is notified, and other phones are not followed', async () => {
  const { admin } = world.as
  const { id, userId, client, other } = await person()
  const before = Date.now() - 60_000
  expect([await send(client), await mine(client)]).toEqual([0, null])
  const answer = await mark(admin, id)
  expect(answer.status, answer.text).toBe(200)
  const since = Date.parse(answer.body.data.companyPhone.since)
  expect(await mine(client)).toMatchObject({ reason: 'Bought for the field team' })
  expect(await mine(other)).toBeNull()
  expect([await send(client, before), await send(client, since + 1), await send(other, since + 2)]).toEqual([0, 1, 0])
  expect((await client.post('/api/tracking-consents/mine', { status: 'Declined', textVersion: 1 })).status).toBe(200)
  expect(await send(client, since + 3)).toBe(1)
  const news = await rowsOf<{ message: string }>('select "message" from notification where "userId" = $1 and "link" = $2', [
    userId,
    '/profile',
  ])
  expect(news.map(({ message }) => message)).toEqual([expect.stringContaining('Why: Bought for the field team')])
  // Working time holds on it as on any other.
  await act(userId, world.team.id, 0, since + 4)
  expect(await send(client, since + 1_000)).toBe(0)

  const phone = answer.body.data.companyPhone.Id
  const end = (who: SignedInClient, body: object = { endReason: 'Sold to them' }) =>
    who.post(`/api/tracking/company-phones/${phone}/end`, body)
  expect(fieldsOf(await end(admin, {}))).toEqual(['endReason'])
  const ends = await Promise.all(Array.from({ length: 5 }, () => end(admin)))
  expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  expect([await mine(client), await send(client, since + 2)]).toEqual([null, 0])
  const acts = await rowsOf<{ action: string; userId: string }>(
    `select "action", "userId" from audit_log where "companyId" = $1 and "objectId" = $2 order by "seq"`,
    [world.company.id, phone],
  )
  expect(acts).toEqual(['create', 'update'].map((one) => ({ action: expect.stringContaining(one), userId: world.people.admin.id })))
  // It may be marked again, anew.
  expect((await mark(admin, id)).status).toBe(200)
})

test('it is marked by whoever governs the company, once, with a reason, and seen by the reach of people', async () => {
  const { admin, manager, officer, foreign } = world.as
  const [near, far] = [await person(), await person(world.other)]
  for (const who of [manager, officer]) expect((await mark(who, near.id)).status).toBe(403)
  expect((await mark(foreign, near.id)).status).toBe(404)
  expect((await mark(admin, randomUUID())).status).toBe(404)
  expect(fieldsOf(await mark(admin, near.id, {}))).toEqual(['reason'])
  expect(fieldsOf(await mark(admin, near.id, { reason: '  ' }))).toEqual(['reason'])
  expect(fieldsOf(await mark(admin, near.id, { reason: 'x', userId: far.userId }))).not.toEqual([])
  const marked = await Promise.all(Array.from({ length: 5 }, () => mark(admin, near.id)))
  expect(marked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  await mark(admin, far.id)
  const list = async (who: SignedInClient) =>
    (await who.get<{ companyPhones: { userId: string }[] }>('/api/tracking/company-phones?size=1000')).body.data.companyPhones.map(
      ({ userId }) => userId,
    )
  expect(await list(admin)).toEqual(expect.arrayContaining([near.userId, far.userId]))
  expect(await list(manager)).toContain(near.userId)
  expect(await list(manager)).not.toContain(far.userId)
  expect(await list(foreign)).not.toContain(near.userId)
  expect((await officer.get('/api/tracking/company-phones')).status).toBe(403)
  const phone = marked.find(({ status }) => status === 200)!.body.data.companyPhone.Id
  expect((await manager.post(`/api/tracking/company-phones/${phone}/end`, { endReason: 'x' })).status).toBe(403)
  expect((await foreign.post(`/api/tracking/company-phones/${phone}/end`, { endReason: 'x' })).status).toBe(404)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const rows = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
let notes = 0
/** Each a second after the one before. */
const told = (user: { id: string; companyId: string }, message: string) =>
  world.app.make.row('notification', {
    companyId: user.companyId,
    id: crypto.randomUUID(),
    userId: user.id,
    itemType: 'Message',
    message,
    dateCreated: new Date(Date.now() - 60_000 + 1_000 * (notes += 1)),
  })

describe('notifications', () => {
  it("are the caller's own unread ones, and read all at once", async () => {
    const { officer, manager } = world.people
    await told(officer, 'first')
    await told(officer, 'second')
    await told(manager, 'not yours')
    const mine = await world.as.officer.get<{ notifications: { message: string }[]; count: number }>(
      '/api/notification/unreadnotifications',
    )
    expect(mine.body).toMatchObject({
      success: true,
      data: { count: 2, notifications: [{ itemType: 'Message', message: 'second' }, { message: 'first' }] },
    })
    expect((await world.as.officer.post('/api/notification/markallread')).body.data).toEqual({ read: 2 })
    expect((await world.as.officer.get('/api/notification/unreadnotifications')).body.data).toEqual({ notifications: [], count: 0 })
    expect((await world.as.manager.get('/api/notification/unreadnotifications')).body.data).toMatchObject({ count: 1 })
    expect((await world.app.nobody.get('/api/notification/unreadnotifications')).status).toBe(401)
  })
})

describe('one notification', () => {
  it('is marked as read by its reader only', async () => {
    const { officer, manager } = world.people
    await told(officer, 'to open')
    await told(officer, 'to keep')
    await told(manager, 'not yours')
    const all = await rows('select "id", "message" from notification where message in (\'to open\', \'not yours\')')
    const read = await world.as.officer.post('/api/notification/markread', { ids: all.map(({ id }) => id) })
    expect(read.body.data).toEqual({ read: 1 })
    expect((await world.as.officer.get('/api/notification/unreadnotifications')).body.data).toMatchObject({
      notifications: [{ message: 'to keep' }],
    })
    expect(await rows('select "readAt" from notification where message = \'not yours\' and "readAt" is not null')).toEqual([])
    expect(fieldsOf(await world.as.officer.post('/api/notification/markread', { ids: ['x'] }))).toEqual(['ids.0'])
  })
})

describe('push registration', () => {
  const owner = async (token: string) =>
    (await rows('select "userId" from push_device where token = $1', token)).map((row) => row['userId'])
  const register = (client: { post: World['as']['officer']['post'] }, token: string) =>
    client.post('/api/firebase/register-device', { token })

  it('moves a token to its last user, in another company too', async () => {
    const token = 'token-of-a-shared-phone'
    expect((await register(world.as.officer, token)).status).toBe(200)
    expect((await register(world.as.officer, token)).status).toBe(200)
    expect(await owner(token)).toEqual([world.people.officer.id])
    await register(world.as.manager, token)
    expect(await owner(token)).toEqual([world.people.manager.id])
    await register(world.as.foreign, token)
    expect(await owner(token)).toEqual([world.people.foreign.id])
  })
  it('lets one of two people keep it who register at the same time', async () => {
    const token = 'token-of-a-busy-phone'
    await Promise.all([world.as.officer, world.as.manager, world.as.foreign, world.as.officer].map((client) => register(client, token)))
    expect(await owner(token)).toHaveLength(1)
  })
  it('ends with the session: logout and deactivation', async () => {
    const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
    const [one, two] = [await world.app.as(user), await world.app.as(user)]
    await register(one, 'token-of-one')
    await register(two, 'token-of-two')
    await one.get('/api/auth/logout')
    expect([await owner('token-of-one'), await owner('token-of-two')]).toEqual([[], [user.id]])
    await world.as.admin.del('/api/users/delete', { userIds: [user.id] })
    expect(await owner('token-of-two')).toEqual([])
  })
  it('names a bad token', async () => {
    expect(fieldsOf(await world.as.officer.post('/api/firebase/register-device', { token: 'short' }))).toEqual(['token'])
    expect((await world.as.officer.post('/api/firebase/register-device', {})).body.fields).toEqual([
      { field: 'token', message: 'is required' },
    ])
  })
})

describe('the history', () => {
  it('keeps what was read, of the caller alone, page by page', async () => {
    const { officer } = world.people
    await world.as.officer.post('/api/notification/markallread')
    await told(officer, 'newest')
    const page = async (query: string) => {
      const { body } = await world.as.officer.get<{ notifications: { message: string; readAt: string | null }[] }>(
        `/api/notification/history${query}`,
      )
      return {
        total: body.meta?.total,
        messages: body.data.notifications.map(({ message }) => message),
        read: body.data.notifications.map(({ readAt }) => readAt !== null),
      }
    }
    const all = await page('')
    expect(all.messages[0]).toBe('newest')
    expect(all.messages).toEqual(expect.arrayContaining(['first', 'second']))
    expect(all.messages).not.toContain('not yours')
    expect(await page('?state=unread')).toEqual({ total: 1, messages: ['newest'], read: [false] })
    expect((await page('?state=read')).read.every(Boolean)).toBe(true)
    expect(await page('?size=1&page=2')).toMatchObject({ total: all.total, messages: [all.messages[1]] })
    expect(fieldsOf(await world.as.officer.get('/api/notification/history?state=gone'))).toEqual(['state'])
  })
})

describe('preferences', () => {
  let phones = 712_300_000
  const assign = async () => {
    const lead = (
      await world.as.manager.post<{ lead: { Id: string } }>('/api/leads', {
        firstName: 'Wish',
        lastName: 'Kamau',
        phonenumber: `0${(phones += 1)}`,
      })
    ).body.data.lead
    return world.as.manager.post('/api/leads/assignlead', { leadId: lead.Id, userId: world.people.officer.id })
  }
  const wish = (body: object) => world.as.officer.put('/api/notification/preferences', body)

  it("begin with the bell for all, are each person's own and refuse what is no kind", async () => {
    const { data } = (
      await world.as.officer.get<{ preferences: { kind: string; bell: boolean; mail: boolean }[] }>('/api/notification/preferences')
    ).body
    expect(data.preferences.every(({ bell, mail }) => bell && !mail)).toBe(true)
    expect((await wish({ kind: 'leads', bell: false, mail: true })).status).toBe(200)
    expect((await world.as.manager.get('/api/notification/preferences')).body.data).toEqual(data)
    expect(fieldsOf(await wish({ kind: 'weather', bell: true, mail: true }))).toEqual(['kind'])
  })

  it('keep a kind off the bell, in the history, and send it by mail', async () => {
    await wish({ kind: 'leads', bell: false, mail: true })
    await world.as.officer.post('/api/notification/markallread')
    expect((await assign()).status).toBe(200)
    expect((await world.as.officer.get('/api/notification/unreadnotifications')).body.data).toMatchObject({ count: 0 })
    const [newest] = (await world.as.officer.get<{ notifications: { Id: string; message: string }[] }>('/api/notification/history?size=1'))
      .body.data.notifications
    expect(newest?.message).toBe('A lead was assigned to you')
    expect(
      await rows("select 1 from outbox where type = 'notifications.mail' and payload ->> 'notificationId' = $1", newest?.Id),
    ).toHaveLength(1)
    await wish({ kind: 'leads', bell: true, mail: false })
    await assign()
    expect((await world.as.officer.get('/api/notification/unreadnotifications')).body.data).toMatchObject({ count: 1 })
  })
})

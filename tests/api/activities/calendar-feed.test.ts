import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'

interface Feed {
  calendarFeed: { address: string | null; lastReadAt: string | null }
}

let world: World
beforeAll(async () => {
  world = await makeWorld()
  for (const [name, who] of [
    ['Visit Amina', 'officer'],
    ['Somebody else’s', 'elsewhere'],
    ['Board meeting', 'manager'],
  ] as const) {
    const answer = await world.as[who].post('/api/activities', {
      name,
      startDate: '2026-11-24T06:30:00Z',
      endDate: '2026-11-24T07:30:00Z',
      location: 'Gikomba, stall 4',
    })
    expect(answer.status, answer.text).toBe(200)
  }
  await world.app.database.admin.query(
    `alter table activity disable trigger require_stream; update activity set "startDate" = now()::date + interval '6 hours 30 minutes', "endDate" = now()::date + interval '7 hours 30 minutes'; alter table activity enable trigger require_stream`,
  )
})
afterAll(() => world.app.close())

const pathOf = (address: string | null) => new URL(address ?? '').pathname

it('is read by whoever holds the secret address, with the owner’s activities in UTC and the company’s zone as a hint', async () => {
  const before = (await world.as.officer.get<Feed>('/api/calendar/feed')).body.data.calendarFeed
  expect(before.address).toBeNull()
  const { address } = (await world.as.officer.post<Feed>('/api/calendar/feed', {})).body.data.calendarFeed
  expect(address).toMatch(/^http:\/\/outpost\.test\/api\/calendar\/[0-9a-f-]{36}\.[\w-]{43}\.ics$/)
  expect((await world.as.officer.get<Feed>('/api/calendar/feed')).body.data.calendarFeed.address).toBe(address)
  const { status, headers, text } = await world.app.nobody.get(pathOf(address))
  expect([status, headers['content-type'], headers['content-disposition']?.toString().split(';')[0]]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'inline',
  ])
  expect(text).toContain('SUMMARY:Visit Amina')
  expect(text).not.toContain('Somebody')
  expect(text).not.toContain('Board')
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  expect(text).toContain(`DTSTART:${today}T063000Z`)
  expect(text).toContain('X-WR-TIMEZONE:Africa/Nairobi')
  expect(text.split('\r\n').filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
  expect((await world.as.officer.get<Feed>('/api/calendar/feed')).body.data.calendarFeed.lastReadAt).not.toBeNull()
})

it('is not stored in words: the table alone does not give the address away', async () => {
  const { address } = (await world.as.officer.get<Feed>('/api/calendar/feed')).body.data.calendarFeed
  const secret = pathOf(address).split('.').at(-2) ?? ''
  const { rows } = await world.app.database.admin.query<{ row: string }>('select to_jsonb(f)::text as row from calendar_feed f')
  expect(rows.some(({ row }) => row.includes(secret))).toBe(false)
})

it('answers 404 once it was replaced or revoked, and to any address that is none', async () => {
  const first = (await world.as.manager.post<Feed>('/api/calendar/feed', {})).body.data.calendarFeed.address
  const second = (await world.as.manager.post<Feed>('/api/calendar/feed', {})).body.data.calendarFeed.address
  expect((await world.app.nobody.get(pathOf(first))).status).toBe(404)
  expect((await world.app.nobody.get(pathOf(second))).status).toBe(200)
  // The secret belongs to its company.
  expect((await world.app.nobody.get(pathOf(second).replace(world.company.id, world.stranger.id))).status).toBe(404)
  expect((await world.as.manager.del<Feed>('/api/calendar/feed', {})).body.data.calendarFeed.address).toBeNull()
  for (const path of [
    pathOf(second),
    '/api/calendar/x.ics',
    `/api/calendar/${world.company.id}.${'a'.repeat(43)}.ics`,
    '/api/calendar/.ics',
  ])
    expect((await world.app.nobody.get(path)).status).toBe(404)
})

it('ends with its owner', async () => {
  const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
  const { address } = (await (await world.app.as(user)).post<Feed>('/api/calendar/feed', {})).body.data.calendarFeed
  expect((await world.app.nobody.get(pathOf(address))).status).toBe(200)
  await world.as.admin.del('/api/users/delete', { userIds: [user.id] })
  expect((await world.app.nobody.get(pathOf(address))).status).toBe(404)
})

it('ends with the password and with the right to see activities, and is neither shown nor made for somebody else', async () => {
  const role = await world.app.make.role({ company: world.company, name: 'Calendar', permissions: ['SALES/AGENTS/MYWORK'] })
  const user = await world.app.make.user({ tenant: world.team, roles: [role] })
  const make = async () => pathOf((await (await world.app.as(user)).post<Feed>('/api/calendar/feed', {})).body.data.calendarFeed.address)
  const first = await make()
  expect((await world.as.admin.put(`/api/users/change-password/${user.id}`, { password: 'a brand new phrase 7' })).status).toBe(200)
  expect((await world.app.nobody.get(first)).status).toBe(404)
  await world.app.database.admin.query('update credential set "mustChange" = false where "userId" = $1', [user.id])
  const second = await make()
  const { body } = await world.as.admin.post<{ token: string }>('/api/auth/impersonate', {
    userName: user.userName,
    reason: 'checking a calendar',
  })
  const impersonator = world.app.client({ authorization: `Bearer ${body.data.token}` })
  const refused = [
    await impersonator.get('/api/calendar/feed'),
    await impersonator.post('/api/calendar/feed', {}),
    await impersonator.del('/api/calendar/feed', {}),
  ]
  expect(refused.map((answer) => answer.body.code)).toEqual(Array.from({ length: 3 }, () => 'WHILE_IMPERSONATING'))
  expect((await world.app.nobody.get(second)).status).toBe(200)
  await world.app.database.admin.query('delete from role_permission where "roleId" = $1', [role.id])
  world.app.services.changed({ companyId: user.companyId })
  expect((await world.app.nobody.get(second)).status).toBe(404)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { minuteOf } from '@outpost/rules/time-zone'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const save = (body: object) => world.as.admin.put(`/api/settings/${world.company.id}`, body)
/** Gives the manager a case, and returns when its mail will be sent. */
async function mailed(): Promise<{ waits: boolean; hour: number; bell: number }> {
  const made = await world.as.manager.post<{ case: { Id: string } }>('/api/cases', { title: 'Payslip does not match' })
  await world.as.admin.post('/api/cases/assign', { ids: [made.body.data.case.Id], userId: world.people.manager.id })
  const { rows } = await world.app.database.admin.query<{ runAt: Date; waits: boolean }>(
    `select "runAt", "runAt" > now() + interval '1 second' as waits from outbox where "companyId" = $1 and "type" = 'notifications.mail' order by "id" desc limit 1`,
    [world.company.id],
  )
  const { body } = await world.as.manager.get<{ count: number }>('/api/notification/unreadnotifications')
  return {
    waits: rows[0]?.waits ?? false,
    hour: minuteOf(rows[0]?.runAt.getTime() ?? 0, 'Africa/Nairobi') / 60,
    bell: body.data.count,
  }
}

it('news by mail waits until the quiet hours of the company end; the bell does not', async () => {
  expect((await world.as.manager.put('/api/notification/preferences', { kind: 'cases', bell: true, mail: true })).status).toBe(200)
  expect(await mailed()).toMatchObject({ waits: false, bell: 1 })
  const now = Math.floor(minuteOf(Date.now(), 'Africa/Nairobi') / 60)
  const [from, until] = [(now + 23) % 24, (now + 3) % 24]
  expect(fieldsOf(await save({ quietFromHour: 24 }))).toEqual(['quietFromHour'])
  expect((await save({ quietFromHour: from, quietUntilHour: until })).status).toBe(200)
  expect(await mailed()).toEqual({ waits: true, hour: until, bell: 2 })
  expect((await save({ quietFromHour: until, quietUntilHour: (until + 1) % 24 })).status).toBe(200)
  expect(await mailed()).toMatchObject({ waits: false, bell: 3 })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

interface Group {
  Id: string
  members: { Id: string; clientId: string }[]
}
async function activeGroup(count: number): Promise<Group> {
  const { as } = lending.world
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) ids.push(await lending.client())
  const members = ids.map((clientId, place) => ({ clientId, role: place === 0 ? 'Chair' : 'Member' }))
  const made = await as.admin.post<{ clientGroup: Group }>('/api/client-groups', {
    name: `Umoja ${ids[0]}`,
    minMembers: 2,
    maxMembers: 10,
    members,
  })
  expect(made.status, made.text).toBe(200)
  const { Id } = made.body.data.clientGroup
  const active = await as.admin.post(`/api/client-groups/${Id}/move`, { move: 'activate' })
  expect(active.status, active.text).toBe(200)
  return made.body.data.clientGroup
}
type Who = keyof Lending['world']['as']
const lend = (groupId: string, over: object = {}, who: Who = 'admin') =>
  lending.world.as[who].post<{ loans: Row[] }>('/api/loans/joint', {
    groupId,
    principal: '10000',
    annualRate: '24',
    instalments: 10,
    ...over,
  })

it('a joint loan is a loan of each member, shared to the cent; one at a time, all or none', async () => {
  const { as } = lending.world
  const { Id, members } = await activeGroup(3)
  const five = await Promise.all(Array.from({ length: 5 }, () => lend(Id)))
  expect(five.map(({ status }) => status).toSorted(), five.find(({ status }) => status === 500)?.text).toEqual([200, 409, 409, 409, 409])
  const loans = five.find(({ status }) => status === 200)?.body.data.loans ?? []
  expect(loans.map((one) => one['principal'])).toEqual([3333.34, 3333.33, 3333.33])
  expect(new Set(loans.map((one) => one['clientId']))).toEqual(new Set(members.map(({ clientId }) => clientId)))
  const filter = encodeURIComponent(JSON.stringify([{ field: 'groupId', op: 'eq', value: Id }]))
  const listed = await as.admin.get<{ loans: Row[] }>(`/api/loans?filter=${filter}`)
  expect(listed.body.data.loans).toHaveLength(3)
  // Once they are decided the group may borrow again.
  for (const one of loans)
    expect((await as.admin.post(`/api/loans/${one.Id}/move`, { move: 'cancel', reason: 'Asked for later' })).status).toBe(200)
  expect((await lend(Id)).status).toBe(200)
})

it('is refused with its field or reason, to who may not decide, and in another branch or company', async () => {
  const { as } = lending.world
  const { Id } = await activeGroup(2)
  expect(fieldsOf(await lend(Id, { principal: '0.01' }))).toEqual(['principal'])
  expect(fieldsOf(await lend(Id, { instalments: 0 }))).toEqual(['instalments'])
  expect(fieldsOf(await lend(Id, { annualRate: 'much' }))).toContain('annualRate')
  expect((await lend(Id, {}, 'officer')).status).toBe(403)
  for (const who of ['elsewhere', 'foreign'] as const) expect([403, 404]).toContain((await lend(Id, {}, who)).status)
  const stranger = await lending.world.app.database.admin.query<{ id: string }>(
    'select count(*)::int as id from loan where "groupId" = $1',
    [Id],
  )
  expect(stranger.rows).toEqual([{ id: 0 }])
  const forming = await as.admin.post<{ clientGroup: Group }>('/api/client-groups', {
    name: 'New',
    minMembers: 2,
    maxMembers: 3,
    members: [],
  })
  expect((await lend(forming.body.data.clientGroup.Id)).body.code).toBe('CONFLICT')
})

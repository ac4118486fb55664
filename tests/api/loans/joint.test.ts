import { afterAll, beforeAll, expect, it } from 'vitest'
import { publishProduct, publishVersion } from '../products/fixture.ts'
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

it('takes what each member asks for, when the parts add up to the cent and name each member once', async () => {
  const { Id, members } = await activeGroup(3)
  const [one, two, three] = members.map(({ clientId }) => clientId)
  const parts = (...amounts: (string | number)[]) =>
    [one, two, three].flatMap((clientId, place) => (amounts[place] === undefined ? [] : [{ clientId, principal: amounts[place] }]))
  const stranger = await lending.client()
  const refused: [shares: object[], words: string][] = [
    [parts('5000', '3000', '2000.01'), 'add up to 10000.01'],
    [parts('5000', '5000'), 'leave out 1'],
    [[...parts('5000', '3000'), { clientId: one, principal: '2000' }], 'twice'],
    [[...parts('5000', '3000'), { clientId: stranger, principal: '2000' }], 'not in the group'],
  ]
  for (const [shares, words] of refused) {
    const answer = await lend(Id, { shares })
    expect([fieldsOf(answer), answer.text.includes(words)]).toEqual([['shares'], true])
  }
  expect((await lend(Id, { shares: parts('0', '5000', '5000') })).status).toBe(422)
  const five = await Promise.all(Array.from({ length: 5 }, () => lend(Id, { shares: parts(5000.5, '2999.49', '2000.01') })))
  expect(five.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  const loans = five.find(({ status }) => status === 200)?.body.data.loans ?? []
  expect(Object.fromEntries(loans.map((loan) => [loan['clientId'], loan['principal']]))).toEqual({
    [String(one)]: 5000.5,
    [String(two)]: 2999.49,
    [String(three)]: 2000.01,
  })
})

it('is of a product where one is named: its fees, penalty, insurance, grace, rounding and ranges', async () => {
  const { as } = lending.world
  const productId = await publishProduct(as.admin, 'GROUP', {
    annualRate: 18,
    method: 'flat',
    creditType: 'developmental',
    graceOnPrincipal: 1,
    instalmentRounding: '10',
    penaltyKind: 'percentOfOverdue',
    penaltyAmount: 5,
    penaltyPer: 'month',
    penaltyGraceDays: 7,
    penaltyInDuplum: true,
    insuranceKind: 'percentOfPrincipal',
    insuranceRate: 1,
    fees: [{ name: 'Opening', role: 'initiation', kind: 'percentOfPrincipal', amount: 2, due: 'deducted' }],
  })
  const ofProduct = (groupId: string, over: object = {}, who: Who = 'admin') =>
    lending.world.as[who].post<{ loans: Row[] }>('/api/loans/joint', { groupId, principal: '9000', instalments: 6, productId, ...over })
  const { Id, members } = await activeGroup(2)
  const shares = members.map(({ clientId }, place) => ({ clientId, principal: place === 0 ? '6000' : '3000' }))
  expect(fieldsOf(await ofProduct(Id, { annualRate: 1, method: 'declining' }))).toEqual(['annualRate', 'method'])
  expect(fieldsOf(await ofProduct(Id, { instalments: 25 }))).toEqual(['instalments'])
  expect(fieldsOf(await ofProduct(Id, { principal: '1500' }))).toEqual(['principal'])
  expect(
    fieldsOf(await ofProduct(Id, { shares: shares.map((share, place) => ({ ...share, principal: place === 0 ? '8500' : '500' })) })),
  ).toEqual(['shares'])
  const foreign = await publishProduct(as.foreign, 'THEIRS')
  expect(fieldsOf(await ofProduct(Id, { productId: foreign }))).toEqual(['productId'])
  const other = await publishVersion(as.admin, await publishProduct(as.admin, 'OTHER'), { annualRate: 30 })
  expect(fieldsOf(await ofProduct(Id, { productVersionId: other }))).toEqual(['productVersionId'])
  expect(fieldsOf(await ofProduct(Id, { productId: null, productVersionId: other, annualRate: 12 }))).toEqual(['productId'])

  const made = await ofProduct(Id, { shares })
  expect(made.status, made.text).toBe(200)
  const loans = made.body.data.loans
  expect(loans.map((loan) => [loan['principal'], loan['paidOut']]).toSorted()).toEqual([
    [3000, 2940],
    [6000, 5880],
  ])
  for (const loan of loans)
    expect(loan).toMatchObject({
      productName: 'Loan GROUP',
      creditType: 'developmental',
      method: 'flat',
      annualRate: '18',
      graceOnPrincipal: 1,
      roundTo: '10',
      penaltyKind: 'percentOfOverdue',
      penaltyGraceDays: 7,
      penaltyInDuplum: true,
      insuranceKind: 'percentOfPrincipal',
      groupId: Id,
    })
  expect(await lending.rows(`select distinct "productVersionId" is not null as pinned from loan where "groupId" = $1`, Id)).toEqual([
    { pinned: true },
  ])
})

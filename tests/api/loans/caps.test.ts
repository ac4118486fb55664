import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { publishProduct } from '../products/fixture.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { dayFrom, terms, type Row } from './lending.ts'

let world: World
let admin: SignedInClient
let clientId: string
let south: World['company']
let companyId: string

beforeAll(async () => {
  world = await makeWorld()
  south = await world.app.make.company({ name: 'Baobab', country: 'ZA', currency: 'ZAR' })
  companyId = south.id
  admin = await world.app.as(await world.app.make.user({ company: south, role: 'admin' }))
  clientId = (await world.app.make.client({ tenant: south, phonenumber: '+27821234567', trimmedPhonenumber: '27821234567' })).id
})
afterAll(() => world.app.close())

const rows = async (text: string, ...values: unknown[]) => (await world.app.database.admin.query(text, values)).rows as Row[]
const open = (over: object, who = admin) =>
  who.post<{ loan: Row }>('/api/loans', {
    clientId,
    principal: 10_000,
    method: 'declining',
    annualRate: 28,
    instalments: 12,
    unit: 'month',
    ...over,
  })
const messages = (answer: { body: { fields?: { field: string; message?: string }[] } }) =>
  (answer.body.fields ?? []).map(({ field, message }) => `${field}: ${message}`)

it('a loan without a product carries its kind of credit, and the caps of its country hold for it', async () => {
  expect(messages(await open({}))).toEqual([
    'annualRate: Interest cap (NCA reg 42 Table A, GG 39379): The reference rate of the central bank is not entered: enter it under Calculator rules, so that the cap on interest can be checked.',
  ])
  const rate = await admin.post('/api/calculators/rule-sets', {
    calculator: 'cs-affordability',
    effectiveFrom: dayFrom(1),
    referenceRate: 7,
  })
  expect(rate.status, rate.text).toBe(200)
  await rows(`update rule_set set "effectiveFrom" = $2 where "companyId" = $1`, companyId, dayFrom(-200))
  const held = await open({})
  expect(held.status, held.text).toBe(200)
  expect(held.body.data.loan).toMatchObject({ creditType: 'unsecured', productVersionId: null })
  expect(messages(await open({ annualRate: 28.01 }))).toEqual([
    'annualRate: Interest cap (NCA reg 42 Table A, GG 39379): 28.01 % a year is above 28 % a year, the reference rate of 7 % and 21 points.',
  ])
  const other = await open({ annualRate: 28.01, creditType: 'developmental' })
  expect([other.status, other.body.data?.loan['creditType']]).toEqual([200, 'developmental'])
  expect(fieldsOf(await open({ creditType: 'none' }))).toEqual(['creditType'])
  expect(fieldsOf(await open({ creditType: 'constructor' }))).toEqual(['creditType'])
  expect(fieldsOf(await open({ creditType: 'shortTerm', principal: 8_000.01, instalments: 6 }))).toEqual(['creditType'])
  // Whole terms are named as they were given.
  const whole = { ...terms, currency: 'ZAR', annualRate: '20', fees: [{ name: 'Admin', kind: 'flat', amount: '61', due: 'perInstalment' }] }
  const refused = await admin.post('/api/loans', { clientId, principal: '10000', terms: whole })
  expect(fieldsOf(refused)).toEqual(['terms.annualRate', 'terms.fees'])
  expect(messages(refused)[1]).toBe('terms.fees: Service fee (NCA reg 44): 61 a month is above 60.')
  // Five at once are refused like one, and nothing is left of them.
  const before = await rows(`select count(*)::int as count from loan where "companyId" = $1`, companyId)
  const five = await Promise.all(Array.from({ length: 5 }, () => open({ annualRate: 29 })))
  expect(five.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
  expect(await rows(`select count(*)::int as count from loan where "companyId" = $1`, companyId)).toEqual(before)
})

it('caps hold for a top-up and for a raised rate too; an old loan at a higher rate keeps it', async () => {
  const { Id } = (await open({})).body.data.loan
  const asker = await world.app.as(await world.app.make.user({ company: south, role: 'admin' }))
  const asked = await asker.post<{ disbursement: Row }>('/api/disbursements', { loanId: Id, channel: 'cash' })
  expect(asked.status, asked.text).toBe(200)
  const third = await world.app.as(await world.app.make.user({ company: south, role: 'admin' }))
  for (const [move, more] of [
    ['approve', {}],
    ['send', {}],
    ['confirm', { providerReference: 'C1', paidOn: dayFrom(-10) }],
  ] as const) {
    const answer = await third.post(`/api/disbursements/${asked.body.data.disbursement.Id}/move`, { move, ...more })
    expect(answer.status, answer.text).toBe(200)
  }
  const topUp = (over: object) => admin.post<{ loan: Row }>(`/api/loans/${Id}/top-up`, { principal: 20_000, ...over })
  expect(fieldsOf(await topUp({ annualRate: 28.5 }))).toEqual(['annualRate'])
  const change = (over: object) =>
    admin.post<{ loanChange: Row }>('/api/loan-changes', { loanId: Id, kind: 'restructure', reason: 'Asked for', ...over })
  expect(fieldsOf(await change({ annualRate: 29 }))).toEqual(['annualRate'])
  const lower = await change({ instalments: 18, annualRate: 27 })
  expect(lower.status, lower.text).toBe(200)
  const withdrawn = await admin.post(`/api/loan-changes/${lower.body.data.loanChange.Id}/move`, { move: 'withdraw' })
  expect(withdrawn.status, withdrawn.text).toBe(200)
  // What was agreed above a cap that came later stays as it was, unless it is raised or agreed anew.
  await rows(`update loan set terms = jsonb_set(terms, '{annualRate}', '"35"') where id = $1`, Id)
  expect((await change({ instalments: 20 })).status).toBe(200)
  expect(fieldsOf(await change({ annualRate: 36 }))).toEqual(['annualRate'])
  expect(fieldsOf(await topUp({}))).toEqual(['annualRate'])
  const opened = await topUp({ annualRate: 28 })
  expect(opened.status, opened.text).toBe(200)
  expect(opened.body.data.loan).toMatchObject({ creditType: 'unsecured', settlesLoanId: Id })
})

it('holds for a joint loan on a product, too: a cap that fell since the product was published', async () => {
  const productId = await publishProduct(admin, 'GROUP', { annualRate: 28 })
  const members: object[] = []
  for (const number of [1, 2]) {
    const phone = `2782000000${number}`
    const { id } = await world.app.make.client({ tenant: south, phonenumber: `+${phone}`, trimmedPhonenumber: phone })
    members.push({ clientId: id, role: number === 1 ? 'Chair' : 'Member' })
  }
  const group = await admin.post<{ clientGroup: Row }>('/api/client-groups', { name: 'Umoja', minMembers: 2, members })
  expect(group.status, group.text).toBe(200)
  const { Id: groupId } = group.body.data.clientGroup
  expect((await admin.post(`/api/client-groups/${groupId}/move`, { move: 'activate' })).status).toBe(200)
  const lend = () => admin.post<{ loans: Row[] }>('/api/loans/joint', { groupId, principal: 10_000, instalments: 12, productId })
  const lower = await admin.post('/api/calculators/rule-sets', {
    calculator: 'cs-affordability',
    effectiveFrom: dayFrom(1),
    referenceRate: 5,
  })
  expect(lower.status, lower.text).toBe(200)
  const made = await lend()
  expect(made.status, made.text).toBe(200)
  for (const { Id } of made.body.data.loans) await admin.post(`/api/loans/${Id}/move`, { move: 'cancel', reason: 'Test' })
  await rows(`update rule_set set "effectiveFrom" = $2 where "companyId" = $1 and "effectiveFrom" = $3`, companyId, dayFrom(-1), dayFrom(1))
  const capped = await lend()
  expect([capped.status, messages(capped)[0]?.includes('28 % a year is above 26 % a year')]).toEqual([422, true])
  expect(await rows(`select from loan where "groupId" = $1 and "status" <> 'Cancelled'`, groupId)).toEqual([])
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending } from '../loans/lending.ts'
import type { World } from '../world.ts'

let lending: Lending
const kinds = async (who: keyof Lending['world']['as'], q: string) =>
  (
    await lending.world.as[who].get<{ results: { resource: string; title: string; screen: string }[] }>(
      `/api/search?q=${encodeURIComponent(q)}`,
    )
  ).body.data.results

beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

it('finds a loan by its number and by the name its client has by now, within reach; the list finds it by the same words', async () => {
  const clientId = await lending.client(lending.world.team, { firstName: 'Zuberi', lastName: 'Achola' })
  const { Id, loanNumber } = await lending.loan({ clientId })
  const renamed = await lending.world.as.admin.post('/api/clients', {
    Id: clientId,
    firstName: 'Zuberi',
    lastName: 'Wekesa',
    phonenumber: '+254712000999',
  })
  expect(renamed.status, renamed.text).toBe(200)
  for (const text of [String(loanNumber), 'zuberi wek', 'wekesa'])
    expect((await kinds('admin', text)).filter(({ resource }) => resource === 'loan')).toEqual([
      expect.objectContaining({ title: loanNumber, subtitle: 'Zuberi Wekesa · Approved', screen: `/loans/accounts/${Id}/view` }),
    ])
  expect(await kinds('admin', 'achola')).toEqual([])
  const listed = async (search: string) =>
    (await lending.world.as.admin.get<{ loans: { Id: string }[] }>(`/api/loans?search=${search}`)).body.data.loans.map((row) => row.Id)
  expect(await listed('wekesa')).toEqual([Id])
  expect(await listed('nobody')).toEqual([])
  for (const who of ['foreign', 'elsewhere'] as const) expect(await kinds(who, 'wekesa')).toEqual([])
})

it('finds a payment and a payout by number, reference, payer and client, within reach; their lists find them by the same', async () => {
  const { world } = lending
  const clientId = await lending.client(world.team, { firstName: 'Halima', lastName: 'Omollo' })
  const { Id: loanId } = await lending.running(dayFrom(-10), { clientId })
  const over = { method: 'transfer', providerReference: 'QWX77ZP01', payerName: 'Rehema Cherono' }
  const payment = await lending.pay(loanId, 100, dayFrom(0), over)
  const [payout] = await lending.rows('select id, "providerReference" from disbursement where "loanId" = $1', loanId)
  const hits = async (who: keyof World['as'], q: string) =>
    (await kinds(who, q)).filter(({ resource }) => ['payment', 'disbursement'].includes(resource)).map(({ screen }) => screen)
  const ids = async (many: 'payments' | 'disbursements', q: string) =>
    (await world.as.admin.get<Record<string, { Id: string }[]>>(`/api/${many}?search=${encodeURIComponent(q)}`)).body.data[many]?.map(
      ({ Id }) => Id,
    )
  const [toPayment, toPayout] = [`/clients/payments/view/${payment.Id}`, `/disbursements/${String(payout?.id)}/view`]

  for (const text of [String(payment.paymentNumber), 'qwx77', 'rehema cher']) {
    expect(await hits('admin', text), text).toEqual([toPayment])
    expect(await ids('payments', text), text).toEqual([payment.Id])
    expect(await ids('disbursements', text), text).toEqual([])
  }
  expect(await hits('admin', String(payout?.providerReference))).toEqual([toPayout])
  expect(await ids('disbursements', String(payout?.providerReference))).toEqual([payout?.id])
  expect(await hits('admin', 'halima omo')).toEqual([toPayment, toPayout])
  expect(await ids('payments', 'omollo')).toEqual([payment.Id])
  expect(await ids('disbursements', 'omollo')).toEqual([payout?.id])
  // The officer may not see payouts; who works elsewhere sees neither.
  expect(await hits('officer', 'halima omo')).toEqual([toPayment])
  for (const who of ['foreign', 'elsewhere'] as const) expect(await hits(who, 'halima omo')).toEqual([])
})

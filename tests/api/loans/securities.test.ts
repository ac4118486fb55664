import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../apps/server/src/areas/reconciliation/reconcile.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

let plates = 100
/** A loan of 1,272 in all that is 40 days old, with the vehicle of its client. */
async function secured(): Promise<{ loanId: string; assetId: string; clientId: string }> {
  const clientId = await lending.client()
  const { Id: loanId } = await lending.running(dayFrom(-40), { clientId })
  const [vehicle] = await lending.rows(
    `insert into asset ("companyId", id, "tenantId", "registrationNumber", make, "clientId") values ($1, uuidv7(), $2, $3, 'Probox', $4) returning id`,
    lending.world.company.id,
    lending.world.team.id,
    `KDA ${(plates += 1)}A`,
    clientId,
  )
  return { loanId, assetId: String(vehicle?.['id']), clientId }
}
const sale = { soldOn: dayFrom(-1), price: 1000, costs: 150, channel: 'bank' }
const ask = (body: object, who: keyof typeof as = 'manager') => as[who].post<{ securitySale: Row }>('/api/security-sales', body)
const move = (id: string, name: string, more: object = {}, who: keyof typeof as = 'admin') =>
  as[who].post<{ securitySale: Row }>(`/api/security-sales/${id}/move`, { move: name, ...more })
async function asked(body: object): Promise<Row> {
  const answer = await ask(body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.securitySale
}
async function sold(body: object): Promise<Row> {
  const { Id } = await asked(body)
  const answer = await move(Id, 'book')
  expect(answer.status, answer.text).toBe(200)
  return (await as.admin.get<{ securitySale: Row }>(`/api/security-sales/${Id}`)).body.data.securitySale
}
const statusOf = async (assetId: string) => (await lending.rows('select status from asset where id = $1', assetId))[0]?.['status']
/** What the nightly comparison finds wrong in all books. */
async function differences(): Promise<unknown[]> {
  const program = await lending.program()
  await program.transaction(reconcile)
  return lending.rows(`select what, stated, booked from money_difference where status = 'Open'`)
}

describe('the sale of a security', () => {
  it('is booked by a second person: price less costs pays the loan, the rest is still owed, the vehicle is sold', async () => {
    const { loanId, assetId, clientId } = await secured()
    const request = await asked({ ...sale, loanId, assetId, valuation: 1300, buyer: 'Auction house' })
    expect(request).toMatchObject({
      saleNumber: 'S-000001',
      status: 'Requested',
      clientId,
      tenantId: lending.world.team.id,
      description: 'KDA 101A Probox',
      net: 850,
      owedBefore: null,
      shortfall: null,
    })
    expect((await move(request.Id, 'book', {}, 'manager')).status).toBe(403)
    const five = await Promise.all(Array.from({ length: 5 }, () => move(request.Id, 'book')))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect((await as.admin.get<{ securitySale: Row }>(`/api/security-sales/${request.Id}`)).body.data.securitySale).toMatchObject({
      status: 'Booked',
      owedBefore: 1272,
      settled: 850,
      shortfall: 422,
      surplus: 0,
    })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Active', owed: 422 })
    const books = await lending.balances(loanId)
    expect([books['bank'], books['securitySales']]).toEqual([850, undefined])
    expect(await statusOf(assetId)).toBe('Sold')
    const lines = await lending.rows(
      `select a.purpose, l.debit::float8, l.credit::float8 from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a.id = l."accountId"
       join ledger_entry e on e."companyId" = l."companyId" and e.id = l."entryId" where e.key = $1 order by 1, 2`,
      `security-sale:${request.Id}`,
    )
    expect(lines).toEqual([
      { purpose: 'bank', debit: 0, credit: 150 },
      { purpose: 'bank', debit: 1000, credit: 0 },
      { purpose: 'securitySales', debit: 0, credit: 1000 },
      { purpose: 'securitySales', debit: 150, credit: 0 },
    ])
    expect(await differences()).toEqual([])
  })

  it('leaves what is beyond all that is owed to the client, who is refunded; then the sale is not taken back', async () => {
    const { loanId } = await secured()
    const { Id, surplus, shortfall } = await sold({ ...sale, loanId, description: 'A boda boda', price: 2000, costs: 100 })
    expect([surplus, shortfall]).toEqual([628, 0])
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 628 })
    const refund = await as.manager.post<{ disbursement: Row }>('/api/disbursements', { loanId, kind: 'refund', channel: 'cash' })
    expect(refund.body.data.disbursement).toMatchObject({ amount: 628 })
    const refused = await move(Id, 'reverse', { reason: 'The buyer withdrew' })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'What was overpaid is refunded, or on its way: 628.00 to the client. Reject that refund first.',
    ])
    for (const [name, more] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: 'CASH-1', paidOn: dayFrom(0) }],
    ] as const)
      expect((await lending.move(refund.body.data.disbursement.Id, name, more)).status).toBe(200)
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', overpaid: 0 })
    expect(await differences()).toEqual([])
  })

  it('of a written-off loan is a recovery up to what was written off; the client gets what is beyond', async () => {
    const { loanId } = await secured()
    expect((await as.admin.post(`/api/loans/${loanId}/move`, { move: 'writeOff', reason: 'Gone abroad' })).status).toBe(200)
    const { writtenOff } = await lending.read(loanId)
    const half = await sold({ ...sale, loanId, description: 'The first vehicle', price: 600, costs: 100 })
    expect(half).toMatchObject({ owedBefore: writtenOff, settled: 500, surplus: 0, shortfall: Number(writtenOff) - 500 })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Written off', overpaid: 0 })
    const rest = await sold({ ...sale, loanId, description: 'The second vehicle', price: 2000, costs: 0 })
    const beyond = Number((2500 - Number(writtenOff)).toFixed(2))
    expect(rest).toMatchObject({ settled: Number((Number(writtenOff) - 500).toFixed(2)), surplus: beyond, shortfall: 0 })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Written off', overpaid: beyond })
    const books = await lending.balances(loanId)
    expect([books['recoveries'], books['overpayments'], books['securitySales']]).toEqual([-Number(writtenOff), -beyond, undefined])
    expect(await differences()).toEqual([])
    const refund = await as.manager.post<{ disbursement: Row }>('/api/disbursements', { loanId, kind: 'refund', channel: 'cash' })
    expect(refund.body.data.disbursement).toMatchObject({ amount: beyond })
    for (const [name, more] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: 'CASH-2', paidOn: dayFrom(0) }],
    ] as const)
      expect((await lending.move(refund.body.data.disbursement.Id, name, more)).status).toBe(200)
    expect(await lending.read(loanId)).toMatchObject({ status: 'Written off', overpaid: 0 })
    expect(await differences()).toEqual([])
  })

  it('is reversed by contra entries: the loan owes what it owed, and no account has anything of it', async () => {
    const { loanId, assetId } = await secured()
    const [before, books] = [await lending.read(loanId), await lending.balances(loanId)]
    const { Id, paymentId } = await sold({ ...sale, loanId, assetId })
    for (const call of ['reverse', 'release']) {
      const alone = await as.admin.post(`/api/payments/${String(paymentId)}/${call}`, { reason: 'by itself' })
      expect([alone.status, String(alone.body.message)]).toEqual([409, expect.stringContaining('Reverse that sale instead')])
    }
    expect(fieldsOf(await move(Id, 'reverse'))).toEqual(['reason'])
    const five = await Promise.all(Array.from({ length: 5 }, () => move(Id, 'reverse', { reason: 'The buyer withdrew' })))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const after = await lending.read(loanId)
    for (const key of ['status', 'owed', 'principalOwed', 'interestOwed', 'overdue', 'unpaidSince'])
      expect([key, after[key]]).toEqual([key, before[key]])
    expect(await lending.balances(loanId)).toEqual(books)
    expect(await statusOf(assetId)).toBe('Off the road')
    expect((await move(Id, 'book')).status).toBe(409)
    expect(await differences()).toEqual([])
  })

  it('of one vehicle is one, however many are entered at once; another one may follow what was rejected or reversed', async () => {
    const { loanId, assetId, clientId } = await secured()
    const { Id: second } = await lending.running(dayFrom(-40), { clientId })
    const five = await Promise.all(Array.from({ length: 5 }, (_, place) => ask({ ...sale, loanId: place % 2 ? second : loanId, assetId })))
    expect(five.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    const first = five.find(({ status }) => status === 200)?.body.data.securitySale
    const others = five.filter(({ status }) => status === 422)
    expect(others.flatMap(({ body }) => body.fields)).toEqual(
      others.map(() => ({ field: 'assetId', message: expect.stringContaining(`${String(first?.['saleNumber'])} already`) })),
    )
    expect((await move(String(first?.Id), 'reject', { reason: 'No buyer' })).status).toBe(200)
    const { Id } = await sold({ ...sale, loanId, assetId })
    expect(fieldsOf(await ask({ ...sale, loanId: second, assetId }))).toEqual(['assetId'])
    expect((await move(Id, 'reverse', { reason: 'The buyer withdrew' })).status).toBe(200)
    expect((await ask({ ...sale, loanId: second, assetId })).status).toBe(200)
  })

  it('of another person’s vehicle pays the loan that its record names, and no other', async () => {
    const { assetId, loanId: ofOwner } = await secured()
    const { loanId } = await secured()
    await lending.rows('update asset set "loanId" = $1 where id = $2', loanId, assetId)
    expect(fieldsOf(await ask({ ...sale, loanId: ofOwner, assetId }))).toEqual(['assetId'])
    const waiting = await asked({ ...sale, loanId, assetId })
    await lending.rows('update asset set "loanId" = null where id = $1', assetId)
    // It waits for the borrower's loan still: it is not sold for its owner's as well.
    expect(fieldsOf(await ask({ ...sale, loanId: ofOwner, assetId }))).toEqual(['assetId'])
    expect((await move(waiting.Id, 'book')).status).toBe(200)
    expect(await lending.read(loanId)).toMatchObject({ owed: 422 })
    expect(await lending.read(ofOwner)).toMatchObject({ owed: 1272 })
  })

  it('that only pays its costs books no payment', async () => {
    const { loanId } = await secured()
    expect(await sold({ ...sale, loanId, description: 'Scrap', price: 200, costs: 200 })).toMatchObject({
      paymentId: null,
      settled: 0,
      owedBefore: 1272,
      shortfall: 1272,
    })
    expect(await differences()).toEqual([])
  })

  it('names what is wrong with it, and is for those who decide on payouts', async () => {
    const { loanId, assetId } = await secured()
    const other = await secured()
    const wrong = async (body: object) => fieldsOf(await ask({ ...sale, loanId, assetId, ...body }))
    expect(await wrong({ assetId: other.assetId })).toEqual(['assetId'])
    expect(await wrong({ assetId: null })).toEqual(['description'])
    expect(await wrong({ costs: 1000.01 })).toEqual(['costs'])
    expect(await wrong({ price: 0 })).toEqual(['price'])
    expect(await wrong({ soldOn: dayFrom(2) })).toEqual(['soldOn'])
    expect(await wrong({ soldOn: dayFrom(-41) })).toEqual(['soldOn'])
    expect(await wrong({ loanId: (await lending.loan()).Id })).toEqual(['loanId'])
    expect((await ask({ ...sale, loanId, assetId }, 'officer')).status).toBe(403)
    expect(fieldsOf(await ask({ ...sale, loanId, description: 'mine' }, 'foreign'))).toEqual(['loanId'])
    const { Id } = await asked({ ...sale, loanId, assetId })
    expect((await as.foreign.get(`/api/security-sales/${Id}`)).status).toBe(404)
    expect((await move(Id, 'book', {}, 'foreign')).status).toBe(404)
    expect((await as.elsewhere.get(`/api/security-sales/${Id}`)).status).toBe(404)
    expect(fieldsOf(await as.admin.post('/api/payments', { loanId, amount: 5, paidOn: dayFrom(0), method: 'securitySale' }))).toEqual([
      'method',
    ])
  })

  it('is changed as long as it waits, and read back as it is afterwards', async () => {
    const { loanId } = await secured()
    const waiting = await asked({ ...sale, loanId, description: 'A van' })
    const changed = await as.manager.put<{ securitySale: Row }>(`/api/security-sales/${waiting.Id}`, { price: 900, costs: 0 })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.data.securitySale).toMatchObject({ price: 900, costs: 0, net: 900 })
    expect(fieldsOf(await as.manager.put(`/api/security-sales/${waiting.Id}`, { costs: 901 }))).toEqual(['costs'])
    expect(fieldsOf(await as.manager.put(`/api/security-sales/${waiting.Id}`, { soldOn: dayFrom(3) }))).toEqual(['soldOn'])
    expect((await move(waiting.Id, 'book')).status).toBe(200)
    const booked = (await as.admin.get<{ securitySale: Row }>(`/api/security-sales/${waiting.Id}`)).body.data.securitySale
    expect((await as.admin.put(`/api/security-sales/${waiting.Id}`, booked)).status).toBe(200)
    expect(fieldsOf(await as.admin.put(`/api/security-sales/${waiting.Id}`, { price: 901 }))).toEqual(['price'])
    expect(await differences()).toEqual([])
  })

  it('is a tab of the loan and of the vehicle, and stands in the history of the client', async () => {
    const { loanId, assetId, clientId } = await secured()
    await sold({ ...sale, loanId, assetId })
    for (const screen of ['loans-accounts-id-view', 'tracking-assets-id-view']) {
      const { text, status } = await as.admin.get(`/api/console/screens/${screen}`)
      expect([screen, status, text.includes('Sales of securities')]).toEqual([screen, 200, true])
    }
    const { text } = await as.admin.get(`/api/clients/${clientId}/timeline`)
    expect(text).toContain('Sale S-')
  })
})

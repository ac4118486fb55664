import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
let key = ''

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  const opened = await as.admin.post<{ key: string }>('/api/money-connections', { addresses: ['127.0.0.1', '196.201.214.0/24'] })
  expect(opened.status, opened.text).toBe(200)
  key = opened.body.data.key
})
afterAll(() => lending.world.app.close())

/** As M-Pesa writes it. */
const c2b = (TransID: string, TransAmount: string, BillRefNumber: string, over: object = {}) => ({
  TransactionType: 'Pay Bill',
  TransID,
  TransTime: `${dayFrom(0).replaceAll('-', '')}100000`,
  TransAmount,
  BusinessShortCode: '600638',
  BillRefNumber,
  InvoiceNumber: '',
  OrgAccountBalance: '49197.00',
  ThirdPartyTransID: '',
  MSISDN: '254708374149',
  FirstName: 'John',
  MiddleName: '',
  LastName: 'Doe',
  ...over,
})
async function call(door: string, body: object, { remoteAddress = '127.0.0.1', by = key } = {}) {
  const { statusCode, payload } = await lending.world.app.http.inject({
    method: 'POST',
    url: `/hooks/mpesa/${door}/${by}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
    remoteAddress,
  })
  if (statusCode === 200) await lending.processed()
  return { status: statusCode, body: JSON.parse(payload) as { ResultCode: number | string; ResultDesc: string } }
}
const payments = (reference: string) => lending.rows(`select * from payment where "providerReference" = $1`, reference)
const b2c = (id: string, ConversationID: string, over: object = {}) => ({
  Result: {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: 'The service request is processed successfully.',
    OriginatorConversationID: id,
    ConversationID,
    TransactionID: `T${ConversationID}`,
    ...over,
  },
})

describe('money from a client', () => {
  it('said five times at once is one payment on the loan it names', async () => {
    const running = await lending.running(dayFrom(-45))
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('confirmation', c2b('RKTQDM7W6S', '424.00', String(running['loanNumber'])))),
    )
    expect(answers.map(({ status, body }) => [status, body.ResultCode])).toEqual(Array.from({ length: 5 }, () => [200, 0]))
    expect(await payments('RKTQDM7W6S')).toMatchObject([
      { loanId: running.Id, status: 'Posted', payerName: 'John Doe', payerPhone: '254708374149', provider: 'mpesa' },
    ])
    expect(await lending.read(running.Id)).toMatchObject({ owed: 848 })
    expect(await call('confirmation', c2b('RKTQDM7W6S', '424.00', String(running['loanNumber'])))).toMatchObject({ status: 200 })
    expect(await payments('RKTQDM7W6S')).toHaveLength(1)
  })

  it('whose reference is no loan waits in suspense, and one that is not paid out yet as well', async () => {
    const waiting = await lending.loan()
    await call('confirmation', c2b('UNKNOWN1', '10', 'KAMAU'))
    await call('confirmation', c2b('UNKNOWN2', '10', String(waiting['loanNumber'])))
    expect([...(await payments('UNKNOWN1')), ...(await payments('UNKNOWN2'))].map(({ status, loanId }) => [status, loanId])).toEqual([
      ['Suspense', null],
      ['Suspense', null],
    ])
    expect(
      (
        await as.officer.get<{ payments: Row[] }>(
          '/api/payments?search=&filter=' + encodeURIComponent(JSON.stringify([{ field: 'status', op: 'eq', value: 'Suspense' }])),
        )
      ).body.data.payments,
    ).toEqual([])
  })

  it('captured by hand before is the same money; with another amount it waits beside it', async () => {
    const running = await lending.running(dayFrom(-45))
    await lending.pay(running.Id, 100, dayFrom(0), { method: 'mobileMoney', providerReference: 'byhand1' })
    await lending.pay(running.Id, 100, dayFrom(0), { method: 'mobileMoney', providerReference: 'byhand2' })
    expect((await call('confirmation', c2b('BYHAND1', '100', String(running['loanNumber'])))).status).toBe(200)
    expect((await call('confirmation', c2b('BYHAND2', '150', String(running['loanNumber'])))).status).toBe(200)
    expect(await lending.read(running.Id)).toMatchObject({ owed: 1072 })
    expect(await payments('BYHAND2 (as M-Pesa says)')).toMatchObject([{ status: 'Suspense', amount: '150.00' }])
  })

  it('said again an hour later, in the same bytes or with another amount, is what it was, even when it has been reversed since', async () => {
    const running = await lending.running(dayFrom(-45))
    const body = c2b('REPLAY1', '77.50', String(running['loanNumber']))
    const first = await call('confirmation', body)
    await lending.rows(
      `update provider_message set "dateReceived" = now() - interval '1 hour', "doneAt" = now() - interval '1 hour' where "providerId" = 'REPLAY1'`,
    )
    expect(await Promise.all([call('confirmation', body), call('confirmation', { ...body, TransAmount: '9999' })])).toEqual([first, first])
    const [paid] = await payments('REPLAY1')
    expect((await as.admin.post(`/api/payments/${paid?.['id']}/reverse`, { reason: 'Bounced' })).status).toBe(200)
    expect(await call('confirmation', body)).toEqual(first)
    expect(await payments('REPLAY1')).toMatchObject([{ amount: '77.50', status: 'Reversed' }])
    expect(await lending.read(running.Id)).toMatchObject({ owed: 1272 })
  })

  it('with the key of another company is that company’s, whatever loan it names', async () => {
    const running = await lending.running(dayFrom(-45))
    const opened = await as.foreign.post<{ key: string }>('/api/money-connections', { addresses: ['127.0.0.1'] })
    expect(opened.status, opened.text).toBe(200)
    expect((await call('confirmation', c2b('THEIRS1', '50', String(running['loanNumber'])), { by: opened.body.data.key })).status).toBe(200)
    expect(await payments('THEIRS1')).toMatchObject([{ companyId: lending.world.stranger.id, status: 'Suspense', loanId: null }])
    expect(await lending.read(running.Id)).toMatchObject({ owed: 1272 })
    // Their reference is not ours: said to us it is our payment.
    await call('confirmation', c2b('THEIRS1', '50', String(running['loanNumber'])))
    expect(await lending.read(running.Id)).toMatchObject({ owed: 1222 })
  })

  it('of many clients at once, each told five times, is each booked once: some on one loan, some for nobody, one said otherwise by hand', async () => {
    const [one, other] = [await lending.running(dayFrom(-45)), await lending.running(dayFrom(-45))]
    await lending.pay(one.Id, 5, dayFrom(0), { method: 'mobileMoney', providerReference: 'MANY3' })
    const told = [
      ...Array.from({ length: 8 }, (_, turn) => c2b(`MANY${turn}`, `${10 + turn}`, String(one['loanNumber']))),
      ...Array.from({ length: 4 }, (_, turn) => c2b(`ELSE${turn}`, '20', String(other['loanNumber']))),
      ...Array.from({ length: 4 }, (_, turn) => c2b(`LOST${turn}`, '30', 'NOBODY')),
    ]
    const answers = await Promise.all([...told, ...told, ...told, ...told, ...told].map((body) => call('confirmation', body)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.ResultCode}`))).toEqual(new Set(['200 0']))
    // 10 to 17 without the 13 that was captured as 5: that money waits beside it.
    expect(await lending.read(one.Id)).toMatchObject({ owed: 1272 - 95 - 5 })
    expect(await lending.read(other.Id)).toMatchObject({ owed: 1272 - 80 })
    const found = await lending.rows(
      `select "status", count(*)::int as count, sum("amount")::float8 as sum from payment where "providerReference" ~ '^(MANY|ELSE|LOST)\\d' group by 1 order by 1`,
    )
    expect(found).toEqual([
      { status: 'Posted', count: 12, sum: 95 + 5 + 80 },
      { status: 'Suspense', count: 5, sum: 13 + 120 },
    ])
    const numbers = await lending.rows(`select "number" from payment where "companyId" = $1 order by 1`, lending.world.company.id)
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, place) => place + 1))
  })

  it('is asked about before it moves: taken, unless the company refuses what it does not know', async () => {
    const running = await lending.running(dayFrom(-45))
    expect((await call('validation', c2b('V1', '10', 'NOBODY'))).body.ResultCode).toBe(0)
    const saved = await as.admin.put(`/api/settings/${lending.world.company.id}`, { mpesaRefusesUnknownReferences: 1 })
    expect(saved.status, saved.text).toBe(200)
    expect((await call('validation', c2b('V2', '10', 'NOBODY'))).body.ResultCode).toBe('C2B00012')
    expect((await call('validation', c2b('V3', '10', String(running['loanNumber'])))).body.ResultCode).toBe(0)
    expect(await payments('V1')).toEqual([])
  })

  it('is heard from its addresses and by its key alone, and nothing of it is lost or booked otherwise', async () => {
    const body = c2b('WRONG1', '10', 'X')
    for (const how of [
      { remoteAddress: '10.9.9.9' },
      { by: `${key}x` },
      { by: key.replace(lending.world.company.id, lending.world.stranger.id) },
    ])
      expect((await call('confirmation', body, how)).status).toBe(400)
    for (const wrong of [
      { ...body, TransAmount: '-5' },
      { ...body, TransID: '' },
      { ...body, TransAmount: '1e3' },
      { ...body, TransAmount: '10.125' },
      { ...body, TransAmount: '0' },
      { ...body, TransAmount: '0.00' },
      { ...body, TransAmount: -0.01 },
      { ...body, TransAmount: '1234567890123' },
    ])
      expect((await call('confirmation', wrong)).status).toBe(422)
    expect(await payments('WRONG1')).toEqual([])
    const { moneyConnections } = (await as.admin.get<{ moneyConnections: Row[] }>('/api/money-connections')).body.data
    expect(JSON.stringify(moneyConnections)).not.toContain(key.split('.')[1])
    expect((await as.manager.post('/api/money-connections', { addresses: ['127.0.0.1'] })).status).toBe(403)
    expect((await as.foreign.post(`/api/money-connections/${moneyConnections[0]?.Id}/close`)).status).toBe(404)
  })
})

describe('money to a client', () => {
  const sent = async () => {
    const { Id: loanId } = await lending.loan()
    const { Id } = await lending.disbursement(loanId)
    for (const name of ['approve', 'send']) await lending.move(Id, name)
    return { Id, loanId }
  }
  const state = async (id: string) => (await as.admin.get<{ disbursement: Row }>(`/api/disbursements/${id}`)).body.data.disbursement

  it('confirmed five times at once is paid out once', async () => {
    const { Id, loanId } = await sent()
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('payout-result', b2c(Id, `AG1${Id}`))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await state(Id)).toMatchObject({ status: 'Confirmed', providerReference: `TAG1${Id}` })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Active', principalOwed: 1200 })
    expect(await lending.balances(loanId)).toEqual({ portfolio: 1200, provider: -1200 })
  })

  it('that failed says why, and a success that comes late is believed', async () => {
    const { Id, loanId } = await sent()
    await call('payout-timeout', b2c(Id, `AG2${Id}`, { ResultCode: 1 }))
    expect(await state(Id)).toMatchObject({ status: 'Sent', statusReason: expect.stringContaining('no answer in time') as string })
    await call('payout-result', b2c(Id, `AG3${Id}`, { ResultCode: 2001, ResultDesc: 'The initiator information is invalid.' }))
    expect(await state(Id)).toMatchObject({ status: 'Failed', statusReason: 'The initiator information is invalid.' })
    await call('payout-result', b2c(Id, `AG4${Id}`))
    expect([(await state(Id))['status'], (await lending.read(loanId))['status']]).toEqual(['Confirmed', 'Active'])
  })

  it('that left twice is booked to be asked back, once', async () => {
    const { Id, loanId } = await sent()
    for (const conversation of ['AG5', 'AG6', 'AG6']) await call('payout-result', b2c(Id, `${conversation}${Id}`))
    expect(await lending.balances(loanId)).toEqual({ portfolio: 1200, provider: -1200 })
    expect(await lending.rows(`select from ledger_entry where kind = 'strayPayout' and key like $1`, `stray-payout:${Id}%`)).toHaveLength(1)
  })
})

describe('money back to a client who paid too much', () => {
  /** A loan that is overpaid by 300, and the refund of it on its way. */
  const sent = async () => {
    const { Id: loanId } = await lending.running(dayFrom(-45))
    await lending.pay(loanId, 1_572, dayFrom(-1))
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 300 })
    const Id = await asked(loanId)
    for (const name of ['approve', 'send']) expect((await lending.move(Id, name)).status).toBe(200)
    return { Id, loanId }
  }
  const ask = (loanId: string) =>
    as.manager.post<{ disbursement: Row }>('/api/disbursements', { loanId, kind: 'refund', channel: 'mobileMoney' })
  const asked = async (loanId: string) => {
    const answer = await ask(loanId)
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.disbursement.Id
  }
  const state = async (id: string) => (await as.admin.get<{ disbursement: Row }>(`/api/disbursements/${id}`)).body.data.disbursement
  const refunds = (loanId: string) => lending.rows(`select "valueOn" from ledger_entry where "loanId" = $1 and kind = 'refund'`, loanId)
  const failure = { ResultCode: 2001, ResultDesc: 'The receiver is not registered.' }

  it('confirmed five times at once is refunded once', async () => {
    const { Id, loanId } = await sent()
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('payout-result', b2c(Id, `R1${Id}`))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await state(Id)).toMatchObject({ status: 'Confirmed', amount: 300, providerReference: `TR1${Id}` })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', overpaid: 0 })
    expect(await refunds(loanId)).toHaveLength(1)
    expect((await lending.balances(loanId))['overpayments']).toBeUndefined()
    // A failure that is told after it, and one more success under another name, change nothing of the loan.
    await call('payout-result', b2c(Id, `R2${Id}`, failure))
    await call('payout-result', b2c(Id, `R3${Id}`))
    expect([(await state(Id))['status'], (await refunds(loanId)).length]).toEqual(['Confirmed', 1])
    expect(await lending.rows(`select from ledger_entry where key like $1`, `stray-payout:${Id}%`)).toHaveLength(1)
  })

  it('without an answer in time stays on its way; the result that comes late counts, and the doubt is gone', async () => {
    const { Id, loanId } = await sent()
    await call('payout-timeout', b2c(Id, `R4${Id}`, { ResultCode: 1 }))
    expect(await state(Id)).toMatchObject({ status: 'Sent', statusReason: expect.stringContaining('no answer in time') as string })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 300 })
    // Nothing else is paid out of the same money meanwhile.
    expect((await ask(loanId)).status).toBe(422)
    await Promise.all(Array.from({ length: 3 }, () => call('payout-result', b2c(Id, `R4${Id}`))))
    expect(await state(Id)).toMatchObject({ status: 'Confirmed', statusReason: null })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', overpaid: 0 })
    await call('payout-timeout', b2c(Id, `R5${Id}`, { ResultCode: 1 }))
    expect(await state(Id)).toMatchObject({ status: 'Confirmed', statusReason: null })
    expect(await refunds(loanId)).toHaveLength(1)
  })

  it('that failed is with the client’s loan again: sent once more it is paid once, given up it may be asked for anew', async () => {
    const { Id, loanId } = await sent()
    await call('payout-result', b2c(Id, `R6${Id}`, failure))
    expect(await state(Id)).toMatchObject({ status: 'Failed', statusReason: 'The receiver is not registered.' })
    expect(await lending.read(loanId)).toMatchObject({ status: 'Overpaid', overpaid: 300 })
    expect([await refunds(loanId), (await lending.balances(loanId))['overpayments']]).toEqual([[], -300])
    expect((await lending.move(Id, 'retry')).status).toBe(200)
    await call('payout-result', b2c(Id, `R7${Id}`, failure))
    expect((await lending.move(Id, 'reject', { reason: 'Pays by bank' })).status).toBe(200)
    const again = await asked(loanId)
    for (const name of ['approve', 'send']) expect((await lending.move(again, name)).status).toBe(200)
    await call('payout-result', b2c(again, `R8${again}`))
    expect(await lending.read(loanId)).toMatchObject({ status: 'Closed', overpaid: 0 })
    // The one that was given up succeeds after all: the money is out, and is booked to be asked back.
    await call('payout-result', b2c(Id, `R9${Id}`))
    expect(await state(Id)).toMatchObject({ status: 'Rejected' })
    expect(await refunds(loanId)).toHaveLength(1)
    expect(await lending.rows(`select from ledger_entry where key like $1`, `stray-payout:${Id}%`)).toHaveLength(1)
  })
})

import { secretBytes, signatureOf } from '@outpost/platform/standard-webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, type Row } from '../loans/lending.ts'
import { fieldsOf } from '../world.ts'
import { makeReading, type Reading } from './reading.ts'

interface Door {
  Id: string
  key: string
  secret: string
}
let reading: Reading
let [equity, kcb, airtel]: Door[] = []
beforeAll(async () => {
  reading = await makeReading()
  const doors: Door[] = []
  for (const name of ['equity', 'kcb', 'airtel-money'])
    doors.push((await reading.world.as.admin.post<Door>('/api/money-connections/signed', { name })).body.data)
  ;[equity, kcb, airtel] = doors
})
afterAll(() => reading.world.app.close())

async function say(door: Door | undefined, type: string, data: object): Promise<number> {
  const id = crypto.randomUUID()
  const body = JSON.stringify({ id, type, data })
  const timestamp = Math.floor(Date.now() / 1000)
  const { statusCode } = await reading.world.app.http.inject({
    method: 'POST',
    url: `/hooks/money/${door?.key}`,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secretBytes(door?.secret ?? ''), { id, timestamp, body }),
    },
    payload: body,
    remoteAddress: '127.0.0.1',
  })
  // On a busy machine the provider is answered before its message is processed.
  if (statusCode === 200) await reading.processed()
  return statusCode
}
const told = (door: Door | undefined, reference: string, over: object = {}) =>
  say(door, 'payment.received', { reference, amount: '50', currency: 'KES', paidOn: dayFrom(-3), method: 'transfer', ...over })
const payments = (like: string) =>
  reading.rows(
    `select "providerReference" as reference, provider, method, amount::float8, status from payment where "providerReference" like $1 order by 1, 2`,
    like,
  )
const of = (door: Door | undefined) => ({ source: 'provider', providerId: door?.Id })
const day = dayFrom(-3)

describe('a statement of a provider that signs', () => {
  it('is read in by the provider’s name: what it told of is known, the rest is booked under that name, and the night names what disagrees', async () => {
    for (const reference of ['AM1', 'AM2', 'AM3']) expect(await told(airtel, reference, { method: 'mobileMoney' })).toBe(200)
    const statement = await reading.draft([`${day};50;;AM1;a;x`, `${day};51;;am2;a;x`, `${day};52;;AM4;a;x`], of(airtel))
    expect(statement).toMatchObject({ source: 'provider', provider: 'airtel-money', known: 1, differs: 1, forSuspense: 1 })
    const differences = [
      ['AM2', 'Other amount', 51, 50],
      ['AM3', 'Not on the statement', null, 50],
      ['AM4', 'Not booked', 52, null],
    ]
    expect(
      (await reading.shown(statement.Id)).map(([reference, ...rest]) => [String(reference).toUpperCase(), ...rest]).toSorted(),
    ).toEqual(differences)
    expect(await reading.open('AM')).toEqual([
      ['Missing here', 'AM4', 52, null],
      ['Missing there', 'AM3', null, 50],
      ['Other amount', 'AM2', 51, 50],
    ])
    expect((await reading.book(statement.Id)).status).toBe(200)
    expect(await payments('AM4')).toMatchObject([{ provider: 'airtel-money', method: 'mobileMoney', status: 'Suspense' }])
    // It tells of it late: the same money.
    expect(await told(airtel, 'AM4', { amount: '52', method: 'mobileMoney' })).toBe(200)
    expect(await payments('AM4%')).toHaveLength(1)
    // What another provider calls the same is another payment.
    expect(await told(equity, 'AM1')).toBe(200)
    expect(await payments('AM1')).toHaveLength(2)
  })

  it('names its own company’s connection, for who decides on money; a provider is listed by its name alone', async () => {
    const { admin, manager, officer, foreign } = reading.world.as
    const csv = `Date,Amount,Reference\n${day},1,X1`
    const theirs = await foreign.post<Door>('/api/money-connections/signed', { name: 'theirs' })
    const read = (over: object) => admin.post('/api/statements', { csv, ...over })
    expect([
      fieldsOf(await read({ source: 'provider' })),
      fieldsOf(await read({ source: 'provider', providerId: theirs.body.data.Id })),
      fieldsOf(await read({ source: 'equity' })),
    ]).toEqual([['providerId'], ['providerId'], ['source']])
    const sources = await manager.get<{ moneySources: Row[] }>('/api/statements/sources')
    expect(sources.body.data.moneySources.map(({ name }) => name)).toEqual(['airtel-money', 'equity', 'kcb'])
    expect(sources.text).not.toContain('addresses')
    expect((await officer.get('/api/statements/sources')).status).toBe(403)
    // A connection is called as no source of ours.
    expect(fieldsOf(await admin.post('/api/money-connections/signed', { name: 'bank' }))).toEqual(['name'])
  })

  it('has payouts too: one that it confirmed is known on its statement, and no other', async () => {
    const { Id } = (await reading.disbursement((await reading.loan()).Id, 'manager')) as Row
    for (const name of ['approve', 'send']) expect((await reading.move(Id, name)).status).toBe(200)
    expect(await say(airtel, 'payout.paid', { disbursementId: Id, reference: 'AO1', amount: '1200' })).toBe(200)
    expect(await reading.verdicts((await reading.draft([`${dayFrom(0)};;1200;AO1;a;x`], of(airtel))).Id)).toEqual([['AO1', 'Known']])
    expect(await reading.verdicts((await reading.draft([`${dayFrom(0)};;1200;AO1;a;x`], of(kcb))).Id)).toEqual([['AO1', 'Out']])
  })
})

describe('money of a bank that signs and sends statements', () => {
  it('is booked once, whoever tells of it first: the bank’s message, its statement under either name, or somebody by hand', async () => {
    const loan = await reading.running(dayFrom(-40))
    const transfer = { method: 'transfer' }
    expect(await told(equity, 'EQ1')).toBe(200)
    await reading.pay(loan.Id, 50, day, { ...transfer, providerReference: 'EQ2' })
    expect(await told(equity, 'EQ2', { billReference: loan['loanNumber'] })).toBe(200)
    for (const over of [{ source: 'bank' }, of(equity)]) {
      const statement = await reading.draft([`${day};50;;EQ1;a;x`, `${day};50;;EQ2;a;x`, `${day};50;;EQ3;a;x`], over)
      expect((await reading.verdicts(statement.Id)).map(([, verdict]) => verdict)).toEqual([
        'Known',
        'Known',
        'source' in over && over.source === 'bank' ? 'Suspense' : 'Known',
      ])
      expect((await reading.book(statement.Id)).status).toBe(200)
    }
    expect(await told(equity, 'EQ3')).toBe(200)
    expect((await payments('EQ%')).map(({ reference, provider }) => [reference, provider])).toEqual([
      ['EQ1', 'equity'],
      ['EQ2', 'manual'],
      ['EQ3', 'bank'],
    ])
    expect(await reading.open('EQ')).toEqual([])
    // By hand, after the bank told of it: refused where it is said otherwise.
    const again = { loanId: loan.Id, amount: 50, paidOn: day, method: 'transfer', providerReference: 'eq1' }
    const answer = await reading.world.as.admin.post('/api/payments', again)
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'PAYMENT_REFERENCE_TAKEN' }])
    // With another amount it waits beside what was captured by hand; another bank's is another payment.
    expect(await told(equity, 'EQ2', { amount: '55' })).toBe(200)
    expect(await payments('EQ2 (as equity says)')).toMatchObject([{ amount: 55, status: 'Suspense' }])
    expect(await told(kcb, 'EQ1')).toBe(200)
    expect(await payments('EQ1')).toHaveLength(2)
  })

  it('told at the same moment by five messages and a teller is one payment', async () => {
    const capture = () =>
      reading.world.as.admin.post('/api/payments', { amount: 61, paidOn: day, method: 'transfer', providerReference: 'ATONCE' })
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => told(equity, 'ATONCE', { amount: '61' })),
      ...Array.from({ length: 3 }, async () => (await capture()).status),
    ])
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await payments('ATONCE%')).toHaveLength(1)
  })
})

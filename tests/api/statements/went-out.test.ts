import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, type Row } from '../loans/lending.ts'
import { makeReading, type Reading } from './reading.ts'
import { payoutResult } from '../../support/payout-result.ts'

let reading: Reading
let key = ''
beforeAll(async () => {
  reading = await makeReading()
  const opened = await reading.world.as.admin.post<{ key: string }>('/api/money-connections', { addresses: ['127.0.0.1'] })
  key = opened.body.data.key
})
afterAll(() => reading.world.app.close())

type Channel = 'mobileMoney' | 'bank' | 'cash'
/** A payout on its way: sent, not confirmed. */
async function sent(channel: Channel, over: object = {}): Promise<Row> {
  const { Id: loanId } = await reading.loan()
  const payTo = channel === 'cash' ? undefined : '0722000111'
  const asked = await reading.world.as.manager.post<{ disbursement: Row }>('/api/disbursements', { loanId, channel, payTo, ...over })
  expect(asked.status, asked.text).toBe(200)
  for (const name of ['approve', 'send']) expect((await reading.move(asked.body.data.disbursement.Id, name)).status).toBe(200)
  return asked.body.data.disbursement
}
async function paidOut(channel: Channel, providerReference: string, paidOn: string): Promise<Row> {
  const disbursement = await sent(channel)
  const answer = await reading.move(disbursement.Id, 'confirm', { providerReference, paidOn })
  expect(answer.status, answer.text).toBe(200)
  return disbursement
}
async function result(id: string, ConversationID: string, parameters?: unknown) {
  const { statusCode } = await reading.world.app.http.inject({
    method: 'POST',
    url: `/hooks/mpesa/payout-result/${key}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payoutResult(id, ConversationID, parameters)),
    remoteAddress: '127.0.0.1',
  })
  return statusCode
}
const foundOf = (id: string) =>
  reading.rows(
    `select kind, what, stated::float8, booked::float8, "loanId" is not null as loan from money_difference where "disbursementId" = $1 and status = 'Open' order by what`,
    id,
  )

describe('money that went out, on a statement', () => {
  it('is known by its reference; what is not there, has another amount or day, left twice or was booked by nobody is named, and a charge is left to the rules', async () => {
    const { draft, verdicts, shown, open } = reading
    const rule = { position: 1, column: 'details', holds: 'charge', does: 'ignore' }
    expect((await reading.world.as.admin.post('/api/statements/rules', rule)).status).toBe(200)
    const [good, , dear, late, twice] = [
      await paidOut('mobileMoney', 'WO1', dayFrom(-10)),
      await paidOut('mobileMoney', 'WO2', dayFrom(-10)),
      await paidOut('mobileMoney', 'WO3', dayFrom(-10)),
      await paidOut('mobileMoney', 'WO4', dayFrom(-10)),
      await paidOut('mobileMoney', 'WO5', dayFrom(-9)),
    ]
    await paidOut('cash', 'WO6', dayFrom(-10))
    const statement = await draft(
      [
        // A payout and its charge have one reference.
        `${dayFrom(-10)};;-1200.00;WO1;Client;payout`,
        `${dayFrom(-10)};;-15;WO1;Client;Payout charge`,
        `${dayFrom(-10)};;1250;WO3;Client;payout`,
        `${dayFrom(-7)};;1200;WO4;Client;payout`,
        `${dayFrom(-9)};;1200;WO5;Client;payout`,
        `${dayFrom(-8)};;1200;WO7;254722000111 Client;payout for ${String(twice['disbursementNumber'])}`,
        `${dayFrom(-8)};;333;WO8;Nobody;rent`,
      ],
      { source: 'mpesa' },
    )
    expect(await verdicts(statement.Id)).toEqual([
      ['WO1', 'Known'],
      ['WO1', 'Ignored'],
      ['WO3', 'Differs'],
      ['WO4', 'Known'],
      ['WO5', 'Known'],
      ['WO7', 'Out'],
      ['WO8', 'Out'],
    ])
    expect(statement).toMatchObject({ lines: 7, total: 0, left: 2, known: 3, differs: 1, ignored: 1 })
    expect(await open('WO')).toEqual(
      [
        ['Missing there', 'WO2', null, 1200],
        ['Other amount', 'WO3', 1250, 1200],
        ['Other day', 'WO4', 1200, 1200],
        ['Missing here', 'WO7', 1200, null],
        ['Missing here', 'WO8', 333, null],
      ].toSorted(),
    )
    expect(await shown(statement.Id)).toEqual(
      expect.arrayContaining([
        ['WO2', 'Paid out, not on the statement of its days', null, 1200],
        ['WO7', expect.stringContaining('Left'), 1200, null],
        ['WO8', 'Left by the statement, not booked', 333, null],
      ]),
    )
    expect([await foundOf(good.Id), await foundOf(dear.Id), await foundOf(late.Id)]).toEqual([
      [],
      [{ kind: 'Other amount', what: 'Other amount left by the statement', stated: 1250, booked: 1200, loan: true }],
      [{ kind: 'Other day', what: 'Left on another day by the statement', stated: 1200, booked: 1200, loan: true }],
    ])
    expect(await foundOf(twice.Id)).toEqual([
      { kind: 'Missing here', what: 'Left twice by the statement', stated: 1200, booked: null, loan: true },
    ])
    // Booking takes what came in alone.
    expect((await reading.book(statement.Id)).status).toBe(200)
    expect(await reading.rows(`select from payment where "providerReference" like 'WO%'`)).toEqual([])
  })

  it('may be on the statement of the next days: a payout is named once a statement reaches beyond them, and not before', async () => {
    const { draft, open } = reading
    await paidOut('bank', 'NX1', dayFrom(-6))
    await paidOut('bank', 'NX2', dayFrom(-6))
    await draft([`${dayFrom(-6)};1;;NXA;a;x`])
    expect((await open('NX')).filter(([kind]) => kind !== 'Missing here')).toEqual([])
    // Of a Friday, on Monday: no other day.
    await draft([`${dayFrom(-4)};;1200;NX1;a;x`])
    expect((await open('NX')).filter(([kind]) => kind !== 'Missing here')).toEqual([])
    await draft([`${dayFrom(-3)};1;;NXB;a;x`])
    expect((await open('NX')).filter(([kind]) => kind !== 'Missing here')).toEqual([['Missing there', 'NX2', null, 1200]])
  })

  it('is not missed on a file that shows only what came in', async () => {
    await paidOut('mobileMoney', 'IN1', dayFrom(-25))
    const csv = (heading: string) => ({ source: 'mpesa', csv: [heading, `${dayFrom(-25)},1,,INA`, `${dayFrom(-20)},1,,INB`].join('\n') })
    await reading.draft([], csv('Date,Paid in,Balance,Receipt no'))
    expect((await reading.open('IN')).filter(([kind]) => kind !== 'Missing here')).toEqual([])
    await reading.draft([], csv('Date,Paid in,Withdrawn,Receipt no'))
    expect((await reading.open('IN')).filter(([kind]) => kind !== 'Missing here')).toEqual([['Missing there', 'IN1', null, 1200]])
  })

  it('of a payout that is not confirmed here says so, and names it', async () => {
    const waiting = await sent('bank', { payTo: '0110 0223344' })
    await reading.draft([`${dayFrom(0)};;1200;UNC1;01100223344;x`])
    expect(await reading.open('UNC')).toEqual([['Missing here', 'UNC1', 1200, null]])
    expect(await foundOf(waiting.Id)).toMatchObject([{ what: 'Left by the statement; its payout is not confirmed' }])
  })
})

describe('what M-Pesa says it paid out', () => {
  it('is kept, and named when it is another amount than was sent; what is no amount is not looked at', async () => {
    const [same, other, silent, odd] = [
      await sent('mobileMoney'),
      await sent('mobileMoney'),
      await sent('mobileMoney'),
      await sent('mobileMoney'),
    ]
    const says = (Value: unknown) => ({
      ResultParameter: [
        { Key: 'TransactionReceipt', Value: 'X' },
        { Key: 'TransactionAmount', Value },
      ],
    })
    expect([
      await result(same.Id, 'BA1', says(1200)),
      await result(other.Id, 'BA2', says('1190.00')),
      await result(silent.Id, 'BA3'),
      await result(odd.Id, 'BA4', { ResultParameter: { Key: 'TransactionAmount', Value: 'a lot' } }),
    ]).toEqual([200, 200, 200, 200])
    await reading.compare()
    const told = await reading.rows(
      `select "providerReference" as reference, status, provider, "providerAmount"::float8 as amount from disbursement where "providerReference" like 'TBA%' order by 1`,
    )
    expect(told).toEqual([
      { reference: 'TBA1', status: 'Confirmed', provider: 'mpesa', amount: 1200 },
      { reference: 'TBA2', status: 'Confirmed', provider: 'mpesa', amount: 1190 },
      { reference: 'TBA3', status: 'Confirmed', provider: 'mpesa', amount: null },
      { reference: 'TBA4', status: 'Confirmed', provider: 'mpesa', amount: null },
    ])
    expect([await foundOf(same.Id), await foundOf(silent.Id), await foundOf(odd.Id)]).toEqual([[], [], []])
    expect(await foundOf(other.Id)).toEqual([
      { kind: 'Other amount', what: 'The provider paid another amount out', stated: 1190, booked: 1200, loan: true },
    ])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeReading, type Reading } from '../statements/reading.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, type Row } from './lending.ts'
import { payoutResult, saidAmount } from '../../support/payout-result.ts'

let reading: Reading
let as: Reading['world']['as']
let key = ''
beforeAll(async () => {
  reading = await makeReading()
  as = reading.world.as
  key = (await as.admin.post<{ key: string }>('/api/money-connections', { addresses: ['127.0.0.1'] })).body.data.key
})
afterAll(() => reading.world.app.close())

async function paid(id: string, conversation: string, amount = 1200) {
  const { statusCode } = await reading.world.app.http.inject({
    method: 'POST',
    url: `/hooks/mpesa/payout-result/${key}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payoutResult(id, conversation, saidAmount(amount))),
    remoteAddress: '127.0.0.1',
  })
  expect(statusCode).toBe(200)
}
const strays = async (filter: object[] = [], who: keyof typeof as = 'admin') =>
  (await as[who].get<{ strayPayouts: Row[] }>(`/api/stray-payouts?size=100&filter=${encodeURIComponent(JSON.stringify(filter))}`)).body.data
    .strayPayouts
/** A payout that left twice: once as asked for, once more with an amount. */
async function twice(conversation: string, amount = 1200): Promise<{ stray: Row; disbursement: Row }> {
  const disbursement = await reading.disbursement((await reading.loan()).Id)
  for (const name of ['approve', 'send']) expect((await reading.move(disbursement.Id, name)).status).toBe(200)
  await paid(disbursement.Id, `${conversation}A`)
  await Promise.all(Array.from({ length: 5 }, () => paid(disbursement.Id, `${conversation}B`, amount)))
  const [stray, ...more] = await strays([{ field: 'disbursementId', op: 'eq', value: disbursement.Id }])
  expect(more).toEqual([])
  return { stray: stray ?? { Id: '' }, disbursement }
}
const move = (id: string, body: object, who: keyof typeof as = 'admin') => as[who].post(`/api/stray-payouts/${id}/move`, body)
const back = (over: object = {}) => ({ move: 'return', returnedOn: dayFrom(0), reason: 'The client sent it back', ...over })
const balanceOf = async (purpose: string) => (await reading.balances())[purpose] ?? 0

describe('a payout that left twice', () => {
  it('waits in a list, is told once to each who decides on money, and is counted on Home as the list has it', async () => {
    const before = await balanceOf('suspense')
    const { stray, disbursement } = await twice('S1', 1190)
    expect(stray).toMatchObject({ status: 'Open', amount: 1190, reference: 'TS1B', provider: 'mpesa', leftOn: dayFrom(0) })
    expect((await balanceOf('suspense')) - before).toBe(1190)
    const told = await reading.rows(
      `select "userId", message from notification where link = $1 order by "userId"`,
      `/loans/stray-payouts/${stray.Id}/view`,
    )
    expect(new Set(told.map(({ userId }) => userId)).size).toBe(told.length)
    const { admin, manager, officer } = reading.world.people
    expect(told.map(({ userId }) => userId)).toEqual(expect.arrayContaining([admin.id, manager.id]))
    expect(told.map(({ userId }) => userId)).not.toContain(officer.id)
    expect(told[0]?.['message']).toBe(
      `${String(disbursement['disbursementNumber'])} was paid once more than it was asked for: 1190, reference TS1B. Ask it back`,
    )
    const { tiles } = (await as.admin.get<{ tiles: Record<string, { value: number; open: string }> }>('/api/home/figures')).body.data
    const tile = tiles['stray-payouts']
    const rows = await strays(JSON.parse(new URL(tile?.open ?? '', 'http://x').searchParams.get('filter') ?? '[]') as object[])
    expect([tile?.value, rows.every(({ status }) => status === 'Open')]).toEqual([rows.length, true])
  })

  it('is cleared with a reason by who decides on money, once: it came back, and nothing is left in suspense', async () => {
    const before = await reading.balances()
    const { stray } = await twice('S2')
    expect([
      fieldsOf(await move(stray.Id, { move: 'return', returnedOn: dayFrom(0) })),
      fieldsOf(await move(stray.Id, back({ returnedOn: dayFrom(1) }))),
      fieldsOf(await move(stray.Id, back({ returnedOn: dayFrom(-1) }))),
      fieldsOf(await move(stray.Id, { move: 'giveUp' })),
    ]).toEqual([['reason'], ['returnedOn'], ['returnedOn'], ['reason']])
    expect([(await move(stray.Id, back(), 'officer')).status, (await move(stray.Id, back(), 'foreign')).status]).toEqual([403, 404])
    expect([(await as.officer.get('/api/stray-payouts')).status, await strays([], 'foreign')]).toEqual([403, []])
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(stray.Id, back({ returnReference: 'BACK2' }))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const after = await reading.balances()
    // The loan that was paid out once is all that is left of it.
    expect([(after['suspense'] ?? 0) - (before['suspense'] ?? 0), (after['provider'] ?? 0) - (before['provider'] ?? 0)]).toEqual([0, -1200])
    expect((await strays([{ field: 'status', op: 'eq', value: 'Returned' }])).map(({ returnReference }) => returnReference)).toEqual([
      'BACK2',
    ])
  })

  it('that is in suspense already as a payment is that payment: reversed, so that it counts once; money of a loan is not taken for it', async () => {
    const { stray } = await twice('S3')
    const loan = await reading.running(dayFrom(-40))
    const pay = (loanId: string | null, reference: string) =>
      reading.pay(loanId, 1200, dayFrom(0), { method: 'mobileMoney', providerReference: reference })
    await pay(loan.Id, 'ONLOAN3')
    const waiting = await pay(null, 'BACK3')
    const before = await reading.balances()
    expect((await move(stray.Id, back({ returnReference: 'ONLOAN3' }))).status).toBe(409)
    expect((await move(stray.Id, back({ returnReference: 'back3' }))).status).toBe(200)
    const [payment] = await reading.rows(`select status from payment where id = $1`, waiting.Id)
    expect(payment).toEqual({ status: 'Reversed' })
    expect(await reading.balances()).toEqual(before)
    // All of it is on the statement, and agrees.
    const day = dayFrom(0)
    const statement = await reading.draft([`${day};;1200;TS3A;a;x`, `${day};;1200;TS3B;a;x`, `${day};1200;;BACK3;a;x`], { source: 'mpesa' })
    expect(await reading.verdicts(statement.Id)).toEqual([
      ['TS3A', 'Known'],
      ['TS3B', 'Known'],
      ['BACK3', 'Known'],
    ])
    expect([await reading.open('S3'), await reading.open('BACK3')]).toEqual([[], []])
  })

  it('that is given up is a loss of the company', async () => {
    const { stray } = await twice('S4')
    const suspense = await balanceOf('suspense')
    expect((await move(stray.Id, { move: 'giveUp', reason: 'The number is gone' })).status).toBe(200)
    expect([(await balanceOf('suspense')) - suspense, await balanceOf('lostPayouts')]).toEqual([-1200, 1200])
    expect((await move(stray.Id, back())).status).toBe(409)
  })
})

import { secretBytes, signatureOf } from '@outpost/platform/standard-webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
interface Door {
  Id: string
  key: string
  secret: string
  connection: string
}
let door: Door

async function openDoor(name: string, addresses: string[] = []): Promise<Door> {
  const opened = await as.admin.post<Door>('/api/money-connections/signed', { name, addresses })
  expect(opened.status, opened.text).toBe(200)
  return opened.body.data
}
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  door = await openDoor('airtel-money')
})
afterAll(() => lending.world.app.close())

interface Sending {
  by?: Door
  secret?: string
  /** Seconds from now. */
  at?: number
  signedId?: string
  remoteAddress?: string
  change?: (body: string) => string
}
async function say(
  message: object,
  { by = door, secret = by.secret, at = 0, signedId, remoteAddress = '127.0.0.1', change }: Sending = {},
) {
  const body = JSON.stringify(message)
  const id = String((message as { id?: string }).id ?? 'none')
  const timestamp = Math.floor(Date.now() / 1000) + at
  const { statusCode, payload } = await lending.world.app.http.inject({
    method: 'POST',
    url: `/hooks/money/${by.key}`,
    headers: {
      'content-type': 'application/json',
      'webhook-id': signedId ?? id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,bm9uZQ== ${signatureOf(secretBytes(secret), { id, timestamp, body })}`,
    },
    payload: change ? change(body) : body,
    remoteAddress,
  })
  if (statusCode === 200) await lending.processed()
  return { status: statusCode, body: JSON.parse(payload) as { ok?: boolean; code?: string } }
}
const received = (id: string, data: object = {}) => ({
  id,
  type: 'payment.received',
  data: { reference: `REF-${id}`, amount: '424.00', currency: 'KES', payerName: 'Joan', payerPhone: '254708374149', ...data },
})
const payments = (reference: string) => lending.rows(`select * from payment where "providerReference" = $1`, reference)

describe('money that a provider signs for', () => {
  it('said five times at once is one payment on the loan it names, kept under the name of the provider', async () => {
    const running = await lending.running(dayFrom(-45))
    const message = received('E1', { billReference: running['loanNumber'], paidOn: dayFrom(-1) })
    const answers = await Promise.all(Array.from({ length: 5 }, () => say(message)))
    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ status: 200, body: { ok: true } })))
    expect(await say(message)).toEqual({ status: 200, body: { ok: true } })
    expect(await payments('REF-E1')).toMatchObject([{ loanId: running.Id, status: 'Posted', provider: 'airtel-money', payerName: 'Joan' }])
    expect(await lending.read(running.Id)).toMatchObject({ owed: 848 })
  })

  it('without a known loan waits in suspense; another provider may use the same ids and references', async () => {
    expect((await say(received('E2', { billReference: 'KAMAU' }))).status).toBe(200)
    const other = await openDoor('equity')
    expect((await say(received('E2'), { by: other })).status).toBe(200)
    expect((await payments('REF-E2')).map(({ provider, status }) => [provider, status]).toSorted()).toEqual([
      ['airtel-money', 'Suspense'],
      ['equity', 'Suspense'],
    ])
  })

  it('is refused when the proof is wrong, in one way whatever is wrong, and books nothing', async () => {
    const listed = await openDoor('listed', ['196.201.214.0/24'])
    const message = received('BAD')
    const refusals = [
      await say(message, { secret: listed.secret }),
      await say(message, { change: (body) => body.replace('424.00', '924.00') }),
      await say(message, { at: -301 }),
      await say(message, { at: 330 }),
      await say(message, { signedId: 'OTHER' }),
      await say(message, { by: { ...door, key: `${door.key}x` } }),
      await say(message, { by: listed }),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(refusals.map(() => [400, refusals[0]?.body.code]))
    expect(await payments('REF-BAD')).toEqual([])
    expect((await say(received('OK-LISTED'), { by: listed, remoteAddress: '196.201.214.9' })).status).toBe(200)
  })

  it.each([
    ['another currency', { currency: 'UGX' }],
    ['no amount', { amount: '0' }],
    ['three decimals', { amount: '1.005' }],
    ['a name that nobody knows', { billRef: 'L-000001' }],
    ['no day', { paidOn: '2026-02-30' }],
  ])('is refused for what it says: %s', async (what, data) => {
    const answer = await say(received(`WRONG ${what}`, data))
    expect([answer.status, await payments(`REF-WRONG ${what}`)]).toEqual([422, []])
  })

  it('one that is refused keeps none of those that came together with it from being booked', async () => {
    const answers = await Promise.all([
      say(received('MIX1')),
      say(received('MIX2', { currency: 'UGX' })),
      say(received('MIX3')),
      say({ id: 'MIX4', type: 'payout.paid', data: { disbursementId: crypto.randomUUID(), reference: 'X' } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200, 422])
    expect([(await payments('REF-MIX1')).length, (await payments('REF-MIX2')).length, (await payments('REF-MIX3')).length]).toEqual([
      1, 0, 1,
    ])
  })
})

describe('what became of a payout', () => {
  async function sent(): Promise<string> {
    const { Id } = await lending.disbursement((await lending.loan()).Id, 'manager')
    for (const name of ['approve', 'send']) expect((await lending.move(Id, name)).status).toBe(200)
    return Id
  }
  const state = async (id: string) => (await lending.rows('select status, "providerReference" from disbursement where id = $1', id))[0]

  it('confirms it once, fails it, or leaves it sent; a success after a failure counts', async () => {
    const [paid, failed, silent] = [await sent(), await sent(), await sent()]
    const told = { id: 'P1', type: 'payout.paid', data: { disbursementId: paid, reference: 'B2C-1' } }
    expect((await Promise.all(Array.from({ length: 5 }, () => say(told)))).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await state(paid)).toEqual({ status: 'Confirmed', providerReference: 'B2C-1' })
    await say({ id: 'P2', type: 'payout.failed', data: { disbursementId: failed, reason: 'Closed account' } })
    expect(await state(failed)).toMatchObject({ status: 'Failed' })
    await say({ id: 'P3', type: 'payout.paid', data: { disbursementId: failed, reference: 'B2C-2' } })
    expect(await state(failed)).toEqual({ status: 'Confirmed', providerReference: 'B2C-2' })
    await say({ id: 'P4', type: 'payout.unanswered', data: { disbursementId: silent } })
    expect(await state(silent)).toMatchObject({ status: 'Sent' })
    const strays = await lending.rows(`select count(*)::int as count from ledger_entry where kind = 'strayPayout'`)
    expect(strays).toEqual([{ count: 0 }])
  })
})

describe('the connection of a provider that signs', () => {
  it('takes another secret without a gap, or at once, and none when it is closed', async () => {
    const own = await openDoor('rotating')
    const rotate = async (hours: number) =>
      (await as.admin.post<{ secret: string }>(`/api/money-connections/${own.Id}/secret`, { hours })).body.data.secret
    const next = await rotate(24)
    expect([(await say(received('R1'), { by: own })).status, (await say(received('R2'), { by: own, secret: next })).status]).toEqual([
      200, 200,
    ])
    const last = await rotate(0)
    const tries = [own.secret, next, last].map((secret, place) => say(received(`R${place + 3}`), { by: own, secret }))
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([400, 400, 200])
    expect((await as.admin.post(`/api/money-connections/${own.Id}/close`, {})).status).toBe(200)
    expect((await say(received('R9'), { by: own, secret: last })).status).toBe(400)
    expect((await as.admin.post(`/api/money-connections/${own.Id}/secret`, { hours: 1 })).status).toBe(404)
  })

  it('is opened and changed by whoever administers the company, by a name that is no one of ours', async () => {
    for (const name of ['mpesa', 'manual', 'Air Tel', 'a', ''])
      expect([name, fieldsOf(await as.admin.post('/api/money-connections/signed', { name }))]).toEqual([name, ['name']])
    expect((await as.officer.post('/api/money-connections/signed', { name: 'mine' })).status).toBe(403)
    expect((await as.foreign.post(`/api/money-connections/${door.Id}/secret`, { hours: 1 })).status).toBe(404)
    const mpesa = await as.admin.post<{ Id: string }>('/api/money-connections', { addresses: ['127.0.0.1'] })
    expect((await as.admin.post(`/api/money-connections/${mpesa.body.data.Id}/secret`, { hours: 1 })).status).toBe(409)
    expect(door.connection).toBe(`${new URL(`/hooks/money/${door.key}`, door.connection.split(' ')[0]).href} ${door.secret}`)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeReading, type Reading } from '../statements/reading.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, type Row } from './lending.ts'

let reading: Reading
let as: Reading['world']['as']
beforeAll(async () => {
  reading = await makeReading()
  as = reading.world.as
  await reading.rows(`update tenant set country = 'ZM' where id = $1`, reading.world.stranger.id)
})
afterAll(() => reading.world.app.close())

const day = dayFrom(0)
const capture = (over: object, who: 'admin' | 'foreign' = 'admin') =>
  as[who].post<{ payment: Row }>('/api/payments', { amount: 20, method: 'mobileMoney', paidOn: day, ...over })
const connect = async (name: string, who: 'admin' | 'foreign' = 'admin') => {
  const { status, text, body } = await as[who].post<{ Id: string }>('/api/money-connections/signed', { name })
  expect(status, text).toBe(200)
  return body.data.Id
}

describe('mobile money that is captured by hand', () => {
  it('is kept under the network it came by; one reference is one payment of each, five times at once', async () => {
    const said = await Promise.all(Array.from({ length: 5 }, () => capture({ provider: ' Airtel-Money ', providerReference: 'NET1' })))
    expect(said.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(said.map(({ body }) => body.data.payment.Id)).size).toBe(1)
    expect(said[0]?.body.data.payment).toMatchObject({ provider: 'airtel-money', method: 'mobileMoney' })
    const other = await capture({ provider: 'mpesa', providerReference: 'net1' })
    expect(other.body.data?.payment, other.text).toMatchObject({ provider: 'mpesa' })
    expect(other.body.data.payment.Id).not.toBe(said[0]?.body.data.payment.Id)
    // Of one network the reference is taken, for whatever amount.
    expect((await capture({ provider: 'airtel-money', providerReference: 'net1', amount: 21 })).status).toBe(409)
    // Who names none means M-Pesa, where the country has it; what is read may be sent back, and other methods have no network.
    expect((await capture({ providerReference: 'NET2' })).body.data.payment).toMatchObject({ provider: 'mpesa' })
    expect((await capture({ method: 'cash', provider: 'airtel-money' })).body.data.payment).toMatchObject({ provider: 'manual' })
    const listed = await as.admin.get<{ payments: Row[] }>(
      `/api/payments?filter=${encodeURIComponent(JSON.stringify([{ field: 'provider', op: 'eq', value: 'airtel-money' }]))}`,
    )
    expect(listed.body.data.payments).toHaveLength(1)
  })

  it('is of a network of the country or a provider of the company, not of another company’s', async () => {
    await connect('kopa-wallet', 'foreign')
    for (const provider of ['kopa-wallet', 'mtn-momo', 'manual', 'bank', 'topUp', 'securitySale', 'x'.repeat(31)])
      expect([provider, fieldsOf(await capture({ provider }))]).toEqual([provider, ['provider']])
    expect((await capture({ provider: 'kopa-wallet' }, 'foreign')).body.data.payment).toMatchObject({ provider: 'kopa-wallet' })
    expect(fieldsOf(await capture({}, 'foreign'))).toEqual(['provider'])
    const { fields } = (
      await as.foreign.get<{ view: { fields: { key: string; options?: { value: string; label: string }[] }[] } }>(
        '/api/console/screens/clients-payments-create',
      )
    ).body.data.view
    expect(fields.find(({ key }) => key === 'provider')?.options).toEqual([
      { value: 'kopa-wallet', label: 'kopa-wallet' },
      { value: 'airtel-money', label: 'Airtel Money' },
      { value: 'mtn-momo', label: 'MTN MoMo' },
      { value: 'zamtel-money', label: 'Zamtel Money' },
    ])
  })

  it('is looked for on the statement of its network, and on no other', async () => {
    const providerId = await connect('airtel-money')
    const made = await capture({ provider: 'airtel-money', providerReference: 'NET5' })
    expect(made.status, made.text).toBe(200)
    const rows = [`${day};20;;NET5;Ann;x`]
    const own = await reading.draft(rows, { source: 'provider', providerId })
    expect(await reading.verdicts(own.Id)).toEqual([['NET5', 'Known']])
    const foreign = await reading.draft(rows, { source: 'mpesa' })
    expect(await reading.verdicts(foreign.Id)).toEqual([['NET5', 'Suspense']])
    expect(await reading.shown(foreign.Id)).not.toContainEqual(['NET5', 'Not on the statement', null, 20])
  })
})

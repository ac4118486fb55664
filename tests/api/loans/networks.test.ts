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

type Field = { key: string; kind: string; options?: { value: string; label: string }[] }
const viewOf = async (screen: string, who: 'admin' | 'foreign' = 'admin') =>
  (await as[who].get<{ view: { fields: Field[]; actions?: { form?: Field[] }[] } }>(`/api/console/screens/${screen}`)).body.data.view

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

describe('mobile money that goes out, or that a security brought', () => {
  const ask = async (over: object, who: 'manager' | 'foreign' = 'manager') =>
    as[who].post<{ disbursement: Row }>('/api/disbursements', { loanId: (await reading.loan()).Id, channel: 'mobileMoney', ...over })
  const confirm = async (id: string, providerReference: string) => {
    for (const [name, asked] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference, paidOn: day }],
    ] as const) {
      const answer = await reading.move(id, name, asked)
      expect(answer.status, answer.text).toBe(200)
    }
  }
  const paidOut = (reference: string, amount: number) => [`${day};;${amount};${reference};Ann;x`]

  it('names its network: M-Pesa where nobody says, none for a bank, and no network that the company does not know', async () => {
    expect((await ask({})).body.data.disbursement).toMatchObject({ network: 'mpesa', provider: null })
    expect((await ask({ network: ' Airtel-Money ' })).body.data.disbursement).toMatchObject({ network: 'airtel-money' })
    expect((await ask({ channel: 'bank', payTo: '0110', network: 'airtel-money' })).body.data.disbursement).toMatchObject({ network: null })
    for (const network of ['mtn-momo', 'kopa-wallet', 'manual', 'x'.repeat(30)])
      expect(fieldsOf(await ask({ network }))).toEqual(['network'])
    const { Id } = (await ask({ network: 't-kash' })).body.data.disbursement
    const put = (body: object) => as.manager.put<{ disbursement: Row }>(`/api/disbursements/${Id}`, body)
    const read = (await as.admin.get<{ disbursement: Row }>(`/api/disbursements/${Id}`)).body.data.disbursement
    expect((await put(read)).body.data.disbursement).toMatchObject({ network: 't-kash' })
    expect((await put({ channel: 'cash' })).body.data.disbursement).toMatchObject({ channel: 'cash', network: null })
    expect(fieldsOf(await put({ channel: 'mobileMoney', network: 'nobody' }))).toEqual(['network'])
    expect((await put({ channel: 'mobileMoney', network: 'airtel-money' })).body.data.disbursement).toMatchObject({
      network: 'airtel-money',
    })
    expect((await reading.move(Id, 'approve')).status).toBe(200)
    expect(fieldsOf(await put({ network: 'mpesa' }))).toEqual(['network'])
  })

  it('is looked for on the statement of its network by the night, and on no other', async () => {
    const { Id } = (await ask({ network: 't-kash' })).body.data.disbursement
    await confirm(Id, 'NETOUT1')
    const other = await reading.draft(paidOut('NETOUT1', 1200), { source: 'mpesa' })
    expect(await reading.verdicts(other.Id)).toEqual([['NETOUT1', 'Out']])
    const own = await reading.draft(paidOut('netout1', 1200), { source: 'network', network: 't-kash' })
    expect(own).toMatchObject({ source: 'provider', provider: 't-kash' })
    expect(await reading.verdicts(own.Id)).toEqual([['netout1', 'Known']])
  })

  it('is so of sales of securities', async () => {
    const { Id: loanId } = await reading.running(dayFrom(-40))
    const sale = { loanId, description: 'Plough', soldOn: day, price: 77, costs: 0, channel: 'mobileMoney', reference: 'NETSALE1' }
    const enter = (over: object) => as.manager.post<{ securitySale: Row }>('/api/security-sales', { ...sale, ...over })
    expect(fieldsOf(await enter({ network: 'wave' }))).toEqual(['network'])
    expect((await enter({})).body.data.securitySale).toMatchObject({ network: 'mpesa' })
    const made = (await enter({ network: 'airtel-money' })).body.data.securitySale
    expect(made).toMatchObject({ network: 'airtel-money' })
    expect((await as.admin.post(`/api/security-sales/${made.Id}/move`, { move: 'book' })).status).toBe(200)
    const rows = [`${day};77;;NETSALE1;Ann;x`]
    expect(await reading.verdicts((await reading.draft(rows, { source: 'network', network: 'airtel-money' })).Id)).toEqual([
      ['NETSALE1', 'Known'],
    ])
    expect(await reading.verdicts((await reading.draft(rows, { source: 'mpesa' })).Id)).toEqual([['NETSALE1', 'Suspense']])
    expect(fieldsOf(await as.manager.put(`/api/security-sales/${made.Id}`, { network: 'mpesa' }))).toEqual(['network'])
  })
})

describe('a statement of a network that is not connected', () => {
  it('is read in from a file and booked under its name; money that a person captured before is known', async () => {
    const made = await capture({ provider: 't-kash', providerReference: 'TK1' })
    expect(made.status, made.text).toBe(200)
    const draft = await reading.draft([`${day};20;;TK1;Ann;x`, `${day};31;;TK2;Ben;x`], { source: 'network', network: 'T-Kash' })
    expect(await reading.verdicts(draft.Id)).toEqual([
      ['TK1', 'Known'],
      ['TK2', 'Suspense'],
    ])
    expect((await reading.book(draft.Id)).status).toBe(200)
    expect(await reading.rows(`select provider, method, status from payment where "providerReference" = 'TK2'`)).toEqual([
      { provider: 't-kash', method: 'mobileMoney', status: 'Suspense' },
    ])
    const form = (await viewOf('loans-statements')).actions?.flatMap((action) => action.form ?? []).find(({ key }) => key === 'network')
    expect(form?.options?.map(({ label }) => label)).toEqual(['Airtel Money', 'M-Pesa', 'T-Kash'])
    // Told of twice it is one payment.
    expect((await capture({ provider: 't-kash', providerReference: 'tk2', amount: 31 })).body.message).toContain('before')
    expect(await reading.draft([`${day};5;;TK9;Ann;x`], { source: 'network', network: 'mpesa' })).toMatchObject({
      source: 'mpesa',
      provider: null,
    })
    const read = (over: object) =>
      as.admin.post('/api/statements', { source: 'network', csv: `Date;Amount;Reference\n${day};1;X1`, ...over })
    for (const over of [{}, { network: ' ' }, { network: 'mtn-momo' }, { network: 'kopa-wallet' }, { network: 'bank' }])
      expect([over, fieldsOf(await read(over))]).toEqual([over, ['network']])
  })
})

describe('the provider of money', () => {
  it('is shown by the name that people know, in lists, on pages and in tabs of other records', async () => {
    const labelled = ({ fields }: { fields: Field[] }, key: string, value: string) => {
      const field = fields.find((one) => one.key === key)
      return [field?.kind, field?.options?.find((option) => option.value === value)?.label]
    }
    for (const screen of ['clients-payments', 'clients-payments-view-id']) {
      expect(labelled(await viewOf(screen), 'provider', 'mpesa')).toEqual(['choice', 'M-Pesa'])
      expect(labelled(await viewOf(screen), 'provider', 'manual')).toEqual(['choice', 'Captured by hand'])
    }
    const asked = (await viewOf('disbursements-create')).fields.find(({ key }) => key === 'network')
    expect(asked).toMatchObject({ kind: 'choice', defaultValue: 'mpesa', requiredIf: { eq: ['channel', 'mobileMoney'] } })
    for (const screen of ['disbursements', 'disbursements-id-view'])
      expect(labelled(await viewOf(screen), 'network', 'airtel-money')).toEqual(['choice', 'Airtel Money'])
    expect(labelled(await viewOf('loans-statements'), 'provider', 't-kash')).toEqual(['choice', 'T-Kash'])
    // A provider of the company is chosen in filters by its own name.
    expect(labelled(await viewOf('clients-payments', 'foreign'), 'provider', 'kopa-wallet')).toEqual(['choice', 'kopa-wallet'])
    expect(labelled(await viewOf('clients-payments'), 'provider', 'kopa-wallet')).toEqual(['choice', undefined])
  })
})

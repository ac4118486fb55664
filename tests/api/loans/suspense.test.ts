import type { ListView } from '@outpost/contract/views'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

type Figures = Record<string, { value: number; open: string } | undefined>
const figure = async (who: keyof typeof as, id = 'payments-suspense') =>
  (await as[who].get<{ tiles: Figures }>('/api/home/figures')).body.data.tiles[id]
const list = async (filter: string | null, who: keyof typeof as = 'admin') =>
  (await as[who].get<{ payments: Row[] }>(`/api/payments?size=1000&filter=${encodeURIComponent(filter ?? '[]')}`)).body.data.payments

describe('the queue of payments in suspense', () => {
  it('is counted on Home for who may give them to a loan, and the number opens as many rows', async () => {
    const { Id } = await lending.running(dayFrom(-40))
    for (const amount of [10, 11, 12]) await lending.pay(null, amount, dayFrom(-1))
    const given = await lending.pay(null, 13, dayFrom(-1))
    await lending.pay(Id, 14, dayFrom(-1))
    const shown = async () => {
      const { value, open } = (await figure('admin')) ?? { value: -1, open: '' }
      expect(open).toMatch(/^\/clients\/payments\/\?/)
      const rows = await list(new URL(open, 'http://x').searchParams.get('filter'))
      expect(rows.every(({ status }) => status === 'Suspense')).toBe(true)
      expect(rows).toHaveLength(value)
      return value
    }
    expect(await shown()).toBe(4)
    expect((await as.admin.post(`/api/payments/${given.Id}/allocate`, { loanId: Id })).status).toBe(200)
    expect(await shown()).toBe(3)
    // Another company has its own; who may not allocate is not counted for.
    expect(await figure('foreign')).toMatchObject({ value: 0 })
    for (const who of ['officer', 'manager'] as const) {
      const mayAllocate = (await as[who].post(`/api/payments/${crypto.randomUUID()}/allocate`, { loanId: Id })).status !== 403
      const seen = await figure(who)
      expect(seen === undefined).toBe(!mayAllocate)
      if (seen) expect(await list(new URL(seen.open, 'http://x').searchParams.get('filter'), who)).toHaveLength(seen.value)
    }
  })

  it('is a view of the list of payments', async () => {
    const { view } = (await as.admin.get<{ view: ListView }>('/api/console/screens/clients-payments')).body.data
    expect(view.views?.map(({ key }) => key)).toEqual(['suspense'])
    expect(await list(JSON.stringify(view.views?.[0]?.terms))).toHaveLength((await figure('admin'))?.value ?? -1)
  })
})

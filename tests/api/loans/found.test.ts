import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

/** What is written down about a loan, and how its list calls its rows. */
const lists = {
  promises: ['paymentPromises', 'promiseNumber', { amount: 5, dueOn: dayFrom(1), channel: 'Call' }],
  'settlement-quotes': ['settlementQuotes', 'quoteNumber', { validUntil: dayFrom(1) }],
  'loan-changes': ['loanChanges', 'changeNumber', { reason: 'Drought', instalments: 5 }],
  'security-sales': [
    'securitySales',
    'saleNumber',
    { description: 'Red plough', soldOn: dayFrom(-1), price: 5, costs: 0, buyer: 'Kamau', reference: 'AUC-7' },
  ],
} as const

it.each(Object.entries(lists))(
  '%s are found by their number, their loan and its client, in reach alone',
  async (path, [many, number, body]) => {
    const { as, other } = lending.world
    const client = (firstName: string, tenant = lending.world.team) => lending.client(tenant, { firstName, lastName: `of ${path}` })
    const make = async (firstName: string, tenant?: typeof other) => {
      const loan = await lending.running(dayFrom(-40), { clientId: await client(firstName, tenant) })
      const answer = await as.admin.post<Record<string, Row>>(`/api/${path}`, { ...body, loanId: loan.Id })
      expect(answer.status, answer.text).toBe(200)
      return { loan, made: Object.values(answer.body.data)[0]! }
    }
    const [near, far] = [await make('Wambui'), await make('Wanjiku', other)]
    const found = async (text: string, who: keyof typeof as = 'admin') => {
      const answer = await as[who].get<Record<string, Row[]>>(`/api/${path}?search=${encodeURIComponent(text)}`)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data[many]!.map(({ Id }) => Id)
    }
    for (const text of ['wambui', String(near.loan['loanNumber']), String(near.made[number]).toLowerCase()])
      expect([text, await found(text)]).toEqual([text, [near.made.Id]])
    if (path === 'security-sales') for (const text of ['red plough', 'kamau', 'auc-7']) expect(await found(text)).toHaveLength(2)
    expect(await found('nobody')).toEqual([])
    expect((await found(`of ${path}`)).toSorted()).toEqual([near.made.Id, far.made.Id].toSorted())
    expect(await found('wanjiku', 'officer')).toEqual([])
    expect(await found('wambui', 'foreign')).toEqual([])
  },
)

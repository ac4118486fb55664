import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeLending, type Lending } from '../loans/lending.ts'

let lending: Lending
const kinds = async (who: keyof Lending['world']['as'], q: string) =>
  (
    await lending.world.as[who].get<{ results: { resource: string; title: string; screen: string }[] }>(
      `/api/search?q=${encodeURIComponent(q)}`,
    )
  ).body.data.results

beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

it('finds a loan by its number and by the name its client has by now, within reach; the list finds it by the same words', async () => {
  const clientId = await lending.client(lending.world.team, { firstName: 'Zuberi', lastName: 'Achola' })
  const { Id, loanNumber } = await lending.loan({ clientId })
  const renamed = await lending.world.as.admin.post('/api/clients', {
    Id: clientId,
    firstName: 'Zuberi',
    lastName: 'Wekesa',
    phonenumber: '+254712000999',
  })
  expect(renamed.status, renamed.text).toBe(200)
  for (const text of [String(loanNumber), 'zuberi wek', 'wekesa'])
    expect((await kinds('admin', text)).filter(({ resource }) => resource === 'loan')).toEqual([
      expect.objectContaining({ title: loanNumber, subtitle: 'Zuberi Wekesa · Approved', screen: `/loans/accounts/${Id}/view` }),
    ])
  expect(await kinds('admin', 'achola')).toEqual([])
  const listed = async (search: string) =>
    (await lending.world.as.admin.get<{ loans: { Id: string }[] }>(`/api/loans?search=${search}`)).body.data.loans.map((row) => row.Id)
  expect(await listed('wekesa')).toEqual([Id])
  expect(await listed('nobody')).toEqual([])
  for (const who of ['foreign', 'elsewhere'] as const) expect(await kinds(who, 'wekesa')).toEqual([])
})

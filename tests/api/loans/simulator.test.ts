import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulateMoney, type MoneyLink } from '../../../scripts/simulate/money.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

it('the simulator of providers pays loans once however often it says so, leaves the unknown in suspense, ends payouts and plays sessions', async () => {
  const { app, as } = lending.world
  await lending.running(dayFrom(-40))
  const payouts = []
  for (const place of [0, 1, 2, 3, 4]) {
    const { Id } = await lending.disbursement((await lending.loan()).Id, 'manager')
    for (const name of ['approve', 'send']) expect((await lending.move(Id, name)).status, `${place} ${name}`).toBe(200)
    payouts.push(Id)
  }
  const link: MoneyLink = {
    call: async (method, path, body) => {
      const { status, body: answer } = await (method === 'GET' ? as.admin.get(path) : as.admin.post(path, body ?? {}))
      return { status, body: answer }
    },
    hook: async (url, body, headers = {}) => {
      const isForm = body instanceof URLSearchParams
      const { statusCode, payload } = await app.http.inject({
        method: 'POST',
        url,
        headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json', ...headers },
        payload: isForm ? body.toString() : typeof body === 'string' ? body : JSON.stringify(body),
      })
      return { status: statusCode, text: payload }
    },
  }
  const tally = await simulateMoney(link, { payments: 7, sessions: 3, copies: 3, random: () => 0 })
  expect(tally).toEqual({ payments: 6, unknown: 1, signed: 2, copies: 18, payouts: 4, failed: 1, sessions: 3, refused: 0 })
  expect(await lending.rows(`select status, count(*)::int as count from payment group by 1 order by 1`)).toEqual([
    { status: 'Posted', count: 8 },
    { status: 'Suspense', count: 1 },
  ])
  expect(
    await lending.rows(`select status, count(*)::int as count from disbursement where id = any($1::uuid[]) group by 1 order by 1`, payouts),
  ).toEqual([
    { status: 'Confirmed', count: 4 },
    { status: 'Failed', count: 1 },
  ])
  expect(await lending.rows(`select state, count(*)::int as count from ussd_session group by 1 order by 1`)).toEqual([
    { state: 'ABANDONED', count: 1 },
    { state: 'COMPLETED', count: 2 },
  ])
  expect(await lending.rows(`select count(*)::int as count from ussd_request where kind = 'Call back'`)).toEqual([{ count: 2 }])
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

/** Money in suspense, whose receipt has this number. */
const captured = async (): Promise<number> => {
  const { paymentNumber } = await lending.pay(null, 100, dayFrom(0))
  return Number(String(paymentNumber).slice(2))
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, place) => first + place)

describe('the number of a receipt', () => {
  it('counts from 1 without a gap or a twin, also for payments that come at once', async () => {
    const first = [await captured(), await captured()]
    const together = await Promise.all(Array.from({ length: 30 }, captured))
    expect([...first, ...together].toSorted((a, b) => a - b)).toEqual(upTo(32))
  })

  it('is given while another payment that took one before is not committed; what that one gives back is given next', async () => {
    const last = await captured()
    const slow = await lending.world.app.database.admin.connect()
    try {
      await slow.query('begin')
      const { rowCount } = await slow.query(
        `delete from record_number where "companyId" = $1 and "objectType" = 'payment' and "number" = $2`,
        [lending.world.company.id, last + 1],
      )
      expect(rowCount).toBe(1)
      expect(await Promise.all([captured(), captured()]).then((both) => both.toSorted((a, b) => a - b))).toEqual([last + 2, last + 3])
      await slow.query('rollback')
    } finally {
      slow.release()
    }
    expect([await captured(), await captured()]).toEqual([last + 1, last + 4])
  })

  it('is not lost with a payment that is refused', async () => {
    const last = await captured()
    const { as } = lending.world
    const [known, other] = [await lending.running(dayFrom(-5)), await lending.running(dayFrom(-5))]
    await lending.pay(known.Id, 10, dayFrom(0), { providerReference: 'ONCE' })
    const again = await as.admin.post('/api/payments', {
      loanId: other.Id,
      amount: 10,
      paidOn: dayFrom(0),
      method: 'cash',
      providerReference: 'ONCE',
    })
    expect(again.status).toBe(409)
    expect(await captured()).toBe(last + 2)
  })

  it('goes on when more are wanted at once than lie ready', async () => {
    const last = await captured()
    await lending.rows(
      `delete from record_number where "companyId" = $1 and "objectType" = 'payment' and "number" > $2`,
      lending.world.company.id,
      last + 2,
    )
    await lending.rows(
      `update record_counter set "last" = $2 where "companyId" = $1 and "objectType" = 'payment'`,
      lending.world.company.id,
      last + 2,
    )
    const together = await Promise.all(Array.from({ length: 6 }, captured))
    // Who finds none ready counts on behind what another lays ready meanwhile: which six they are is luck, that none is missing is not.
    const ready = await lending.rows(
      `select "number"::int from record_number where "companyId" = $1 and "objectType" = 'payment'`,
      lending.world.company.id,
    )
    const [counter] = await lending.rows(
      `select "last"::int from record_counter where "companyId" = $1 and "objectType" = 'payment'`,
      lending.world.company.id,
    )
    const all = [...together, ...ready.map(({ number }) => Number(number))].toSorted((a, b) => a - b)
    expect(all).toEqual(upTo(Number(counter?.['last']), last + 1))
    expect(together).toContain(last + 1)
  })
})

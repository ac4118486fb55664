import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom } from '../loans/lending.ts'
import { makeReading, type Reading } from './reading.ts'

let reading: Reading
beforeAll(async () => {
  reading = await makeReading()
})
afterAll(() => reading.world.app.close())

describe('what was captured by hand and comes on a statement', () => {
  it('a cheque and a card payment with a reference are known: booked once, no difference when they clear later, named when they never do', async () => {
    const { draft, book, verdicts, shown, open } = reading
    const loan = await reading.running(dayFrom(-40))
    for (const [method, providerReference] of [
      ['cheque', 'CQ1'],
      ['card', 'CQ2'],
      ['cheque', 'CQ3'],
      ['cash', 'CQ4'],
    ] as const)
      await reading.pay(loan.Id, 20, dayFrom(-20), { method, providerReference })
    const early = await draft([`${dayFrom(-20)};20;;cq2;a;x`, `${dayFrom(-17)};20;;CQ1;a;x`])
    expect(await verdicts(early.Id)).toEqual([
      ['cq2', 'Known'],
      ['CQ1', 'Known'],
    ])
    expect((await book(early.Id)).status).toBe(200)
    expect(await reading.rows(`select from payment where upper("providerReference") = any('{CQ1,CQ2}')`)).toHaveLength(2)
    // Three days after it was captured a cheque may still be on its way.
    expect([await shown(early.Id), await open('CQ')]).toEqual([[], []])
    const late = await draft([`${dayFrom(-20)};20;;cq2;a;x`, `${dayFrom(-17)};20;;CQ1;a;x`, `${dayFrom(-10)};1;;OTHER;a;x`])
    expect(await shown(late.Id)).toEqual([
      ['CQ3', 'Not on the statement', null, 20],
      ['OTHER', 'Not booked', 1, null],
    ])
    expect(await open('CQ')).toEqual([['Missing there', 'CQ3', null, 20]])
  })
})

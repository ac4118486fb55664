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

  it('without a reference it is matched by amount and day, one line for one payment, on the loan that the line names; the rest is named', async () => {
    const { draft, book, verdicts, shown, open } = reading
    const [mine, theirs] = [await reading.running(dayFrom(-40)), await reading.running(dayFrom(-40))]
    const transfer = (loanId: string, amount: number, method = 'transfer') => reading.pay(loanId, amount, dayFrom(-5), { method })
    await transfer(mine.Id, 77)
    await transfer(mine.Id, 77)
    await transfer(theirs.Id, 77)
    await transfer(mine.Id, 78)
    await transfer(mine.Id, 79, 'cheque')
    await transfer(mine.Id, 80, 'cash')
    const day = dayFrom(-5)
    const lines = [
      `${day};77;;SL1;a;${String(mine['loanNumber'])}`,
      `${day};77;;SL2;a;nobody knows`,
      `${day};77;;SL3;a;nobody knows`,
      `${day};77;;SL4;a;${String(theirs['loanNumber'])}`,
      `${dayFrom(-4)};79;;SL5;a;cleared`,
    ]
    const statement = await draft(lines)
    // Three were captured: the fourth line of 77 is money that nobody booked.
    expect(await verdicts(statement.Id)).toEqual([
      ['SL1', 'Known'],
      ['SL2', 'Known'],
      ['SL3', 'Suspense'],
      ['SL4', 'Known'],
      ['SL5', 'Known'],
    ])
    expect(await shown(statement.Id)).toEqual([
      ['', 'Not on the statement', null, 78],
      ['SL3', 'Not booked', 77, null],
    ])
    const silent = async () => (await open('Booked, not on the statement')).filter(([, reference]) => reference === null)
    expect([await open('SL'), await silent()]).toEqual([[['Missing here', 'SL3', 77, null]], [['Missing there', null, null, 78]]])
    const owed = async () => [(await reading.read(mine.Id))['owed'], (await reading.read(theirs.Id))['owed']]
    const before = await owed()
    expect((await book(statement.Id)).status).toBe(200)
    expect([await owed(), await open('SL')]).toEqual([before, []])
    // The statement comes after all: nothing is left to name.
    await draft([...lines, `${day};78;;SL6;a;x`])
    expect([await open('SL'), await silent()]).toEqual([[], []])
  })
})

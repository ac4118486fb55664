import { expect, test } from 'vitest'
import { moneyText, zero } from '../money.ts'
import { replay } from './replay.ts'
import { cutAt, restructured, termsOfHoliday, termsOfRest } from './restructure.ts'
import { scheduleOf, type LoanTerms } from './terms.ts'

const terms: LoanTerms = {
  currency: 'KES',
  method: 'declining',
  annualRate: '24',
  dayCount: 'equalPeriods',
  every: { unit: 'month', count: 1 },
  instalments: 12,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  fees: [
    { name: 'Setting up', kind: 'flat', amount: '100', due: 'financed' },
    { name: 'Account', kind: 'flat', amount: '5', due: 'perInstalment' },
  ],
  allocation: ['penalty', 'fee', 'interest', 'principal'],
  dueOnHoliday: 'keep',
}
const disbursedOn = '2026-01-10'
const rows = scheduleOf(terms, '10000', disbursedOn)
const sum = (some: readonly { principal: unknown }[]) => moneyText(some.reduce((total, row) => total.plus(String(row.principal)), zero))

test('only what is due after the day is replaced; the principal of all rows stays what was lent', () => {
  const on = '2026-04-25'
  const made = restructured({ terms: termsOfRest(terms, { instalments: 20, annualRate: '18' }), rows, on, disbursedOn })
  expect(made.kept.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(made.before).toHaveLength(9)
  expect(made.after.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 4))
  expect(sum([...made.kept, ...made.after])).toBe('10100.00')
  // 15 of the 30 days of the running period.
  expect(moneyText(made.earned)).toBe(moneyText(rows[3]!.interest.dividedBy(2)))
  const [first, second] = made.after
  expect(first?.dueOn).toBe('2026-05-25')
  expect(moneyText(first!.interest)).toBe(moneyText(made.principal.times('0.015').plus(made.earned)))
  expect(moneyText(first!.fee)).toBe('5.00')
  expect(moneyText(second!.total.minus(5))).toBe(moneyText(first!.total.minus(5).minus(made.earned)))
})

test('a holiday asks nothing for its periods and charges the days', () => {
  const on = '2026-04-25'
  const left = rows.filter(({ dueOn }) => dueOn > on)
  const { after, before } = restructured({ terms: termsOfHoliday(terms, { left, skip: 3 }), rows, on, disbursedOn })
  expect(after).toHaveLength(before.length)
  expect([after[0]?.dueOn, after[1]?.dueOn, after.at(-1)?.dueOn]).toEqual(['2026-08-10', '2026-09-10', '2027-04-10'])
  expect(after[0]!.interest.gt(before[0]!.interest.toString())).toBe(true)
  expect(sum(after)).toBe(sum(before))
})

test.each([
  { kind: 'amount', rate: '600' },
  { kind: 'percentOfPrincipal', rate: '6' },
] as const)('what is left of a premium of $kind is asked once, whatever the new number of instalments', (insurance) => {
  const insured = { ...terms, fees: [], insurance }
  const made = restructured({
    terms: termsOfRest(insured, { instalments: 20 }),
    rows: scheduleOf(insured, '10000', disbursedOn),
    on: '2026-04-25',
    disbursedOn,
  })
  const premium = [...made.kept, ...made.after].reduce((total, row) => total.plus(String(row.insurance)), zero)
  expect(moneyText(premium)).toBe('600.00')
  expect(moneyText(made.after.reduce((total, row) => total.plus(row.insurance), zero))).toBe('450.00')
})

test('a payment of before the day, captured after it, leads to the same rows as one that was captured in time', () => {
  const on = '2026-04-25'
  const { kept, after } = restructured({ terms: termsOfRest(terms, { instalments: 6 }), rows, on, disbursedOn })
  const payments = [
    { id: 'a', on: '2026-02-10', amount: '955' },
    { id: 'b', on: '2026-03-01', amount: '3000' },
    { id: 'c', on: '2026-05-25', amount: '900' },
  ]
  const run = (some: typeof payments) => replay({ terms, instalments: [...kept, ...after], payments: some, asOf: '2026-06-01' })
  expect(run(payments)).toEqual(run(payments.toReversed()))
  const paid = run(payments).instalments.reduce((total, { paid: one }) => total.plus(one.principal).plus(one.interest).plus(one.fee), zero)
  expect(moneyText(paid)).toBe('4855.00')
})

test('a settlement cuts on its day with the interest earned by the day it was quoted for', () => {
  const cut = cutAt({ rows, on: '2026-04-15', disbursedOn, currency: 'KES', earnedBy: '2026-04-25' })
  expect(moneyText(cut.earned)).toBe(moneyText(rows[3]!.interest.dividedBy(2)))
  expect(cutAt({ rows, on: '2027-02-01', disbursedOn, currency: 'KES' }).before).toEqual([])
})

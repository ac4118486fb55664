import { replay, type Paid, type Replayed } from '@outpost/rules/lending/replay'
import { scheduleOf, type Instalment, type LoanTerms } from '@outpost/rules/lending/terms'
import { Decimal, moneyText } from '@outpost/rules/money'
import { addDays } from '@outpost/rules/time-zone'
import { demoId, type Random } from '../random.ts'
import type { DemoCompany } from '../tree.ts'

/** What a loan needs to know of the client who takes it. */
export interface Client {
  id: string
  tenantId: string
  assignedUserId?: string | null
  createdByUserId: string
}

interface Drawing {
  company: DemoCompany
  random: Random
  client: Client
  /** Place of the loan in its company, from 0. */
  index: number
  today: string
  /** Name of who enters payouts, payments and promises. */
  by: string
}

/** A loan as agreed and as paid back so far; its rows are made from it. */
export interface DemoLoan extends Omit<Drawing, 'random'> {
  companyId: string
  id: string
  name: string
  productName: string
  terms: LoanTerms
  principal: Decimal
  paidOut: Decimal
  disbursedOn: string
  rows: readonly Instalment[]
  paid: readonly Paid[]
  state: Replayed
}

const products = [
  { name: 'Civil servant loan', method: 'declining', annualRate: '24', months: [12, 18, 24] },
  { name: 'Business loan', method: 'declining', annualRate: '30', months: [6, 12] },
  { name: 'Quick loan', method: 'flat', annualRate: '36', months: [3, 6] },
] as const
const termsOf = (currency: string, { method, annualRate }: (typeof products)[number], instalments: number): LoanTerms => ({
  currency,
  method,
  annualRate,
  dayCount: 'equalPeriods',
  every: { unit: 'month', count: 1 },
  instalments,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  fees: [{ name: 'Processing', kind: 'percentOfPrincipal', amount: '3', due: 'deducted' }],
  penalty: { kind: 'percentOfOverdue', amount: '5', per: 'instalment', graceDays: 7 },
  allocation: ['penalty', 'fee', 'interest', 'principal'],
  dueOnHoliday: 'keep',
})

/** How clients pay: in time, some days late, or not any more after some instalments. */
const habits = [
  ['punctual', 6],
  ['late', 2],
  ['stopped', 2],
] as const

/** Draws the terms, the size and the payments of a client's loan. */
export function drawLoan({ random, ...given }: Drawing): DemoLoan {
  const { company, index, today } = given
  const product = random.pick(products)
  const terms = termsOf(company.currency, product, random.pick(product.months))
  const principal = new Decimal(random.int(20, 200) * 500)
  const disbursedOn = addDays(today, -random.int(12, 420))
  const rows = scheduleOf(terms, principal, disbursedOn)
  const paid = paymentsOf({ random, rows, today }).map((one, turn): Paid => ({
    ...one,
    id: demoId(`payment ${company.key} ${index}`, turn),
  }))
  return {
    ...given,
    companyId: demoId(company.key),
    id: demoId(`loan ${company.key}`, index),
    name: `L-${String(index + 1).padStart(6, '0')}`,
    productName: product.name,
    terms,
    principal,
    paidOut: principal.times('0.97'),
    disbursedOn,
    rows,
    paid,
    state: replay({ terms, instalments: rows, payments: paid, asOf: today }),
  }
}

function paymentsOf({ random, rows, today }: { random: Random; rows: readonly Instalment[]; today: string }): Omit<Paid, 'id'>[] {
  const habit = random.weighted(habits)
  const stops = random.int(0, 4)
  return rows.flatMap(({ number, dueOn, total }) => {
    const on = addDays(dueOn, habit === 'late' ? random.int(0, 20) : -random.int(0, 3))
    return on > today || (habit === 'stopped' && number > stops) ? [] : [{ on, amount: moneyText(total) }]
  })
}

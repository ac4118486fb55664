import { openAmount, replay, type Paid, type Replayed } from '@outpost/rules/lending/replay'
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
  /** As of today, or of the day on which it was written off. */
  state: Replayed
  writtenOffOn?: string
  /** What came in after that. */
  recovered: readonly Paid[]
  /** The group whose joint loan it is a share of. */
  groupId?: string
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

type Habit = (typeof habits)[number][0]

/** Draws the terms, the size and the payments of a client's loan. */
export function drawLoan({ random, ...given }: Drawing): DemoLoan {
  const product = random.pick(products)
  const terms = termsOf(given.company.currency, product, random.pick(product.months))
  const principal = new Decimal(random.int(20, 200) * 500)
  const disbursedOn = addDays(given.today, -random.int(12, 420))
  return courseOf({ ...given, random }, { name: product.name, terms, principal, disbursedOn })
}

/** The next loan of somebody who borrows again and again; one who stops paying is given up after half a year, and sometimes pays a part then. */
export function drawNext(drawing: Drawing, disbursedOn: string, habit: Habit): DemoLoan {
  const { random, company } = drawing
  const product = random.pick(products)
  const terms = termsOf(company.currency, product, random.pick(product.months))
  const principal = new Decimal(random.int(20, 200) * 500)
  const made = courseOf(drawing, { name: product.name, terms, principal, disbursedOn, habit })
  const oldest = made.state.instalments.find((row) => openAmount(row).gt(0))
  const writtenOffOn = oldest && addDays(oldest.dueOn, 181 + random.int(0, 20))
  if (writtenOffOn === undefined || writtenOffOn >= drawing.today) return made
  const paid = made.paid.filter(({ on }) => on < writtenOffOn)
  const state = replay({ terms, instalments: made.rows, payments: paid, asOf: writtenOffOn })
  const on = addDays(writtenOffOn, random.int(5, 60))
  const isRecovered = random.next() < 0.5 && on <= drawing.today
  const part = { id: demoId(`recovery ${company.key}`, drawing.index), on, amount: moneyText(principal.times('0.1')) }
  return { ...made, paid, state, writtenOffOn, recovered: isRecovered ? [part] : [] }
}

/** A member's share of a joint loan: paid back every week, by most in time. */
export function drawShare(drawing: Drawing, groupId: string): DemoLoan {
  const { company, random, today } = drawing
  const terms: LoanTerms = { ...termsOf(company.currency, products[2], 12), every: { unit: 'week', count: 1 } }
  const habit = random.weighted([
    ['punctual', 5],
    ['stopped', 1],
  ] as const)
  const course = { name: 'Group loan', terms, principal: new Decimal(6_000), disbursedOn: addDays(today, -26), habit }
  return { ...courseOf(drawing, course), groupId }
}

interface Course {
  name: string
  terms: LoanTerms
  principal: Decimal
  disbursedOn: string
  habit?: Habit
}
/** A loan as agreed, and what was paid of it by today. */
function courseOf({ random, ...given }: Drawing, { name, terms, principal, disbursedOn, habit }: Course): DemoLoan {
  const { company, index, today } = given
  const rows = scheduleOf(terms, principal, disbursedOn)
  const paid = paymentsOf({ random, rows, today, habit: habit ?? random.weighted(habits) }).map((one, turn): Paid => ({
    ...one,
    id: demoId(`payment ${company.key} ${index}`, turn),
  }))
  return {
    ...given,
    companyId: demoId(company.key),
    id: demoId(`loan ${company.key}`, index),
    name: `L-${String(index + 1).padStart(6, '0')}`,
    productName: name,
    terms,
    principal,
    paidOut: principal.times('0.97'),
    disbursedOn,
    rows,
    paid,
    state: replay({ terms, instalments: rows, payments: paid, asOf: today }),
    recovered: [],
  }
}

interface Paying {
  random: Random
  rows: readonly Instalment[]
  today: string
  habit: Habit
}
function paymentsOf({ random, rows, today, habit }: Paying): Omit<Paid, 'id'>[] {
  const stops = random.int(0, 4)
  return rows.flatMap(({ number, dueOn, total }) => {
    const on = addDays(dueOn, habit === 'late' ? random.int(0, 20) : -random.int(0, 3))
    return on > today || (habit === 'stopped' && number > stops) ? [] : [{ on, amount: moneyText(total) }]
  })
}

/** The day on which a loan ended: its last payment; null while it runs. */
export const endedOn = ({ state, paid, disbursedOn }: DemoLoan): string | null =>
  state.instalments.some((row) => openAmount(row).gt(0)) ? null : (paid.at(-1)?.on ?? disbursedOn)

import { interestEarned, oldestUnpaid, openAmount, type Allocation, type Paid } from '@outpost/rules/lending/replay'
import { Decimal, moneyText, zero } from '@outpost/rules/money'
import { addDays } from '@outpost/rules/time-zone'
import type { Purpose } from '../../../apps/server/src/areas/ledger/chart.ts'
import type { Book } from './books.ts'
import { endedOn, type DemoLoan } from './terms.ts'
import { demoId, type Random } from '../random.ts'

const accountOf: Record<Allocation['part'], Purpose> = {
  principal: 'portfolio',
  interest: 'interestReceivable',
  fee: 'feeReceivable',
  insurance: 'insuranceReceivable',
  penalty: 'penaltyReceivable',
  overpaid: 'overpayments',
}

const bookingOf = ({ client, id }: DemoLoan) => ({ tenantId: client.tenantId, loanId: id })

const transactionOf = ({ company, companyId, index, id }: DemoLoan, turn: number, entryId: string, over: object) => ({
  companyId,
  id: demoId(`transaction ${company.key} ${index}`, turn),
  loanId: id,
  entryId,
  principal: 0,
  interest: 0,
  fee: 0,
  insurance: 0,
  penalty: 0,
  overpaid: 0,
  ...over,
})

/** Books the payout of a loan; gives its rows. */
export function payoutOf(loan: DemoLoan, { book }: Book) {
  const { name, principal, paidOut, disbursedOn } = loan
  const row = disbursementRow(loan)
  const entryId = book({
    ...bookingOf(loan),
    key: `disbursement:${row.id}`,
    kind: 'disbursement',
    on: disbursedOn,
    text: `Payout of loan ${name}`,
    postings: [
      ['portfolio', principal],
      ['provider', paidOut.negated()],
      ['feeIncome', principal.minus(paidOut).negated()],
    ],
  })
  const made = transactionOf(loan, 0, entryId, {
    kind: 'disbursement',
    bookedOn: disbursedOn,
    valueOn: disbursedOn,
    paymentId: null,
    principal: moneyText(principal),
  })
  return { row, made }
}

const disbursementRow = ({ company, companyId, client, index, id, paidOut, disbursedOn, by }: DemoLoan) => ({
  companyId,
  id: demoId(`disbursement ${company.key}`, index),
  tenantId: client.tenantId,
  number: index + 1,
  loanId: id,
  clientId: client.id,
  amount: moneyText(paidOut),
  channel: 'mobileMoney',
  status: 'Confirmed',
  attempts: 1,
  providerReference: `DEMOB2C${index}`,
  paidOn: disbursedOn,
  sentAt: `${disbursedOn}T08:00:00Z`,
  confirmedAt: `${disbursedOn}T09:00:00Z`,
  createdByUserId: client.createdByUserId,
  createdBy: by,
  dateCreated: `${addDays(disbursedOn, -1)}T10:00:00Z`,
})

/** Books the penalties of a loan; gives the rows of each. */
export function penaltiesOf(loan: DemoLoan, { book }: Book) {
  const { company, companyId, index, id, name, state } = loan
  return state.penalties.map(({ number, period, on, amount }, turn) => {
    const entryId = book({
      ...bookingOf(loan),
      key: `penalty:${id}:${number}:${period}:${turn}`,
      kind: 'penalty',
      on,
      text: `Penalty on instalment ${number} of loan ${name}`,
      postings: [
        ['penaltyReceivable', amount],
        ['penaltyIncome', amount.negated()],
      ],
    })
    return {
      row: {
        companyId,
        id: demoId(`penalty ${company.key} ${index}`, turn),
        loanId: id,
        number,
        period,
        chargedOn: on,
        amount: moneyText(amount),
        entryId,
      },
      made: transactionOf(loan, 1_000 + turn, entryId, {
        kind: 'penalty',
        bookedOn: on,
        valueOn: on,
        penalty: moneyText(amount),
        paymentId: null,
      }),
    }
  })
}

/** Books the payments on a loan; gives the rows of each. */
export function repaymentsOf(loan: DemoLoan, { book }: Book) {
  return loan.paid.map((one, turn) => {
    const lines = loan.state.allocations.filter(({ paymentId }) => paymentId === one.id)
    const entryId = book({
      ...bookingOf(loan),
      key: `payment:${one.id}:0`,
      kind: 'repayment',
      on: one.on,
      paymentId: one.id,
      text: `Payment on loan ${loan.name}`,
      postings: [['provider', new Decimal(one.amount)], ...lines.map(({ part, amount }) => [accountOf[part], amount.negated()] as const)],
    })
    const sum = (part: Allocation['part']) =>
      lines.filter((line) => line.part === part).reduce((total, { amount }) => total.plus(amount), zero)
    return {
      made: transactionOf(loan, turn + 1, entryId, {
        kind: 'payment',
        bookedOn: one.on,
        valueOn: one.on,
        paymentId: one.id,
        principal: moneyText(sum('principal').negated()),
        interest: moneyText(sum('interest').negated()),
        penalty: moneyText(sum('penalty').negated()),
        overpaid: moneyText(sum('overpaid')),
      }),
      row: paymentRow(loan, one, turn),
      lines: lines.map(({ number, part, amount }, place) => ({
        companyId: loan.companyId,
        id: demoId(`allocation ${loan.company.key} ${loan.index} ${turn}`, place),
        paymentId: one.id,
        loanId: loan.id,
        number,
        part,
        amount: moneyText(amount),
        entryId,
        dateCreated: `${one.on}T09:00:00Z`,
      })),
    }
  })
}

const paymentRow = ({ company, companyId, client, index, id, name, by }: DemoLoan, one: Paid, turn: number) => ({
  companyId,
  id: one.id,
  tenantId: client.tenantId,
  clientId: client.id,
  loanId: id,
  amount: one.amount,
  method: 'mobileMoney',
  kind: 'repayment',
  provider: 'mpesa',
  providerReference: `DEMO${company.key.toUpperCase()}${index}X${turn}`,
  paidOn: one.on,
  billReference: name,
  createdByUserId: client.createdByUserId,
  createdBy: by,
  dateCreated: `${one.on}T09:00:00Z`,
})

/** Books the interest that a loan has earned, at the end of each quarter and at its own end or today; gives its amount. */
export function accrueInterest(loan: DemoLoan, { book }: Book): Decimal {
  const { id, name, rows, terms, disbursedOn, today, writtenOffOn } = loan
  const ended = endedOn(loan)
  const last = writtenOffOn ?? ended ?? today
  const all = ended ? rows.reduce((sum, { interest }) => sum.plus(interest), zero) : undefined
  let booked = zero
  for (const asOf of [...quartersBetween(disbursedOn, last), last]) {
    const earned = asOf === last && all ? all : interestEarned(rows, { disbursedOn, asOf, currency: terms.currency })
    const more = earned.minus(booked)
    booked = earned
    if (more.isZero()) continue
    book({
      ...bookingOf(loan),
      key: `accrual:${id}:${asOf}`,
      kind: 'accrual',
      on: asOf,
      text: `Interest of loan ${name} to ${asOf}`,
      postings: [
        ['interestReceivable', more],
        ['interestIncome', more.negated()],
      ],
    })
  }
  return booked
}

/** Last days of quarters from a day on, before another one. */
function quartersBetween(from: string, to: string): string[] {
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))]
  const years = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  return years
    .flatMap((year) => ['03-31', '06-30', '09-30', '12-31'].map((day) => `${year}-${day}`))
    .filter((end) => end > from && end < to)
}

/** Books the loss of a loan that was given up, and what came in after it; gives what was lost, and the rows of each. */
export function lossOf(loan: DemoLoan, earned: Decimal, { book }: Book) {
  const { id, name, state, writtenOffOn, recovered } = loan
  if (writtenOffOn === undefined) return undefined
  const open = (part: 'principal' | 'penalty') => state.instalments.reduce((sum, row) => sum.plus(openAmount(row, [part])), zero)
  const interest = earned.minus(state.instalments.reduce((sum, row) => sum.plus(row.paid.interest), zero))
  const [principal, penalty] = [open('principal'), open('penalty')]
  const lost = principal.plus(interest).plus(penalty)
  const entryId = book({
    ...bookingOf(loan),
    key: `write-off:${id}`,
    kind: 'writeOff',
    on: writtenOffOn,
    text: `Loan ${name} written off`,
    postings: [
      ['writeOffs', lost],
      ['portfolio', principal.negated()],
      ['interestReceivable', interest.negated()],
      ['penaltyReceivable', penalty.negated()],
    ],
  })
  const made = transactionOf(loan, 2_000, entryId, {
    kind: 'writeOff',
    bookedOn: writtenOffOn,
    valueOn: writtenOffOn,
    paymentId: null,
    principal: moneyText(principal.negated()),
    penalty: moneyText(penalty.negated()),
  })
  return { lost, made, recoveries: recovered.map((one) => recoveryOf(loan, one, { book })) }
}

function recoveryOf(loan: DemoLoan, one: Paid, { book }: Pick<Book, 'book'>) {
  const entryId = book({
    ...bookingOf(loan),
    key: `payment:${one.id}:0`,
    kind: 'recovery',
    on: one.on,
    paymentId: one.id,
    text: `Payment on loan ${loan.name}`,
    postings: [
      ['provider', new Decimal(one.amount)],
      ['recoveries', new Decimal(one.amount).negated()],
    ],
  })
  return {
    made: transactionOf(loan, 2_001, entryId, { kind: 'recovery', bookedOn: one.on, valueOn: one.on, paymentId: one.id }),
    row: { ...paymentRow(loan, one, 2_001), kind: 'recovery' },
    line: {
      companyId: loan.companyId,
      id: demoId(`allocation ${loan.company.key} ${loan.index} 2001`, 0),
      paymentId: one.id,
      loanId: loan.id,
      number: 0,
      part: 'recovery',
      amount: one.amount,
      entryId,
      dateCreated: `${one.on}T09:00:00Z`,
    },
  }
}

/** What a client who is late promises: kept by those who paid some days late, broken by those who were given up. */
export function pastPromiseOf(loan: DemoLoan): object[] {
  const { rows, paid, writtenOffOn } = loan
  const late = paid.findIndex(({ on }, turn) => on > addDays(rows[turn]?.dueOn ?? on, 5))
  const [row, payment] = [rows[late], paid[late]]
  const broken = writtenOffOn === undefined ? undefined : rows[paid.length]
  const made = broken ?? row
  if (!made) return []
  const dueOn = broken ? addDays(broken.dueOn, 12) : (payment?.on ?? made.dueOn)
  return [
    promiseRow(loan, {
      amount: moneyText(made.total),
      dueOn,
      madeOn: addDays(made.dueOn, 3),
      status: broken ? 'Broken' : 'Kept',
      paid: broken ? '0.00' : moneyText(made.total),
      decidedOn: broken ? addDays(dueOn, 2) : dueOn,
    }),
  ]
}

/** Clients who are late promised to pay: some of them by a day to come. */
export function promisesOf(loan: DemoLoan, random: Random): object[] {
  const { state, today, writtenOffOn } = loan
  const late = oldestUnpaid(state.instalments)
  if (!late || late.dueOn >= today || writtenOffOn !== undefined || random.next() < 0.4) return []
  const amount = moneyText(openAmount(late))
  return [
    promiseRow(loan, {
      amount,
      dueOn: addDays(today, random.int(1, 6)),
      madeOn: addDays(today, -1),
      channel: random.pick(['Call', 'Visit', 'Branch']),
    }),
  ]
}

interface Promised {
  amount: string
  dueOn: string
  madeOn: string
  channel?: string
  status?: string
  paid?: string
  decidedOn?: string
}
const promiseRow = (
  { company, companyId, client, index, id, by }: DemoLoan,
  { amount, dueOn, madeOn, channel = 'Call', status = 'Open', paid = '0.00', decidedOn }: Promised,
): object => ({
  companyId,
  id: demoId(`promise ${company.key}`, index),
  tenantId: client.tenantId,
  loanId: id,
  clientId: client.id,
  amount,
  dueOn,
  channel,
  status,
  paid,
  decidedOn: decidedOn ?? null,
  createdByUserId: client.assignedUserId ?? client.createdByUserId,
  createdBy: by,
  dateCreated: `${madeOn}T09:00:00Z`,
})

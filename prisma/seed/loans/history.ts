import { interestEarned, openAmount, type Allocation, type Paid } from '@outpost/rules/lending/replay'
import { Decimal, moneyText, zero } from '@outpost/rules/money'
import { addDays } from '@outpost/rules/time-zone'
import type { Purpose } from '../../../apps/server/src/areas/ledger/chart.ts'
import type { Book } from './books.ts'
import type { DemoLoan } from './terms.ts'
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
  provider: 'mpesa',
  providerReference: `DEMO${company.key.toUpperCase()}${index}X${turn}`,
  paidOn: one.on,
  billReference: name,
  createdByUserId: client.createdByUserId,
  createdBy: by,
  dateCreated: `${one.on}T09:00:00Z`,
})

/** Books the interest that a loan has earned up to today; gives its amount. */
export function accrueInterest(loan: DemoLoan, { book }: Book): Decimal {
  const { id, name, rows, state, terms, disbursedOn, today } = loan
  const closed = state.instalments.every((row) => openAmount(row).isZero())
  const earned = closed
    ? rows.reduce((sum, { interest }) => sum.plus(interest), zero)
    : interestEarned(rows, { disbursedOn, asOf: today, currency: terms.currency })
  book({
    ...bookingOf(loan),
    key: `accrual:${id}:${today}`,
    kind: 'accrual',
    on: today,
    text: `Interest of loan ${name} to ${today}`,
    postings: [
      ['interestReceivable', earned],
      ['interestIncome', earned.negated()],
    ],
  })
  return earned
}

/** Clients who are late promised to pay: some of them by a day to come. */
export function promisesOf({ company, companyId, client, index, id, state, today, by }: DemoLoan, random: Random): object[] {
  const late = state.instalments.find((row) => openAmount(row).gt(0) && row.dueOn < today)
  if (!late || random.next() < 0.4) return []
  return [
    {
      companyId,
      id: demoId(`promise ${company.key}`, index),
      tenantId: client.tenantId,
      loanId: id,
      clientId: client.id,
      amount: moneyText(openAmount(late)),
      dueOn: addDays(today, random.int(1, 6)),
      channel: random.pick(['Call', 'Visit', 'Branch']),
      status: 'Open',
      createdByUserId: client.assignedUserId ?? client.createdByUserId,
      createdBy: by,
      dateCreated: `${addDays(today, -1)}T09:00:00Z`,
    },
  ]
}

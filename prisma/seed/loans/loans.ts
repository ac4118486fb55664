import { oldestUnpaid, openAmount, type Replayed } from '@outpost/rules/lending/replay'
import { moneyText, zero, type Decimal } from '@outpost/rules/money'
import { addDays } from '@outpost/rules/time-zone'
import { chartOfAccounts } from '../../../apps/server/src/areas/ledger/chart.ts'
import { createBook, type Book } from './books.ts'
import { accrueInterest, lossOf, pastPromiseOf, payoutOf, penaltiesOf, promisesOf, repaymentsOf } from './history.ts'
import { regularLoans } from './regulars.ts'
import { changesOf, dunningSteps, quotesOf } from './servicing.ts'
import { drawLoan, type Client, type DemoLoan } from './terms.ts'
import { createRandom, demoId, type Random } from '../random.ts'
import type { DemoCompany } from '../tree.ts'
import type { DemoClient } from '../client-life.ts'
import type { DemoUser } from '../people.ts'

/** Rows of a company's portfolio by table, in the order in which they are inserted. */
type Portfolio = [table: string, rows: object[]][]

interface Lending {
  company: DemoCompany
  users: readonly DemoUser[]
  clients: readonly DemoClient[]
  /** Clients who borrow again and again. */
  regulars: readonly DemoClient[]
  now: number
}

/**
 * A loan of each client who was a lead, over the last fourteen months, those of two years of the regulars, and joint loans of groups: paid out, paid back, late,
 * written off or not, with the ledger that says so.
 */
export function companyLoans({ company, users, clients, regulars, now }: Lending): Portfolio {
  const random = createRandom(`loans ${company.key}`)
  const companyId = demoId(company.key)
  const today = new Date(now).toISOString().slice(0, 10)
  const admin = users.find(({ role }) => role === 'admin')
  const book = createBook({ companyId, key: company.key, userId: admin?.id ?? '' })
  const by = admin ? `${admin.firstName} ${admin.lastName}` : ''
  const loans = clients.map((client, index) => {
    const loan = drawLoan({ company, random, client: client as unknown as Client, index, today, by })
    return rowsOf(loan, book, random)
  })
  for (const loan of regularLoans({ company, regulars, clients, today, by, from: loans.length }))
    loans.push(rowsOf(loan, book, random, pastPromiseOf(loan)))
  const of = (table: keyof (typeof loans)[number]) => loans.flatMap((one) => one[table] as object[])
  const counter = (objectType: string, count: number) => ({ companyId, objectType, last: count })
  return [
    ['ledger_account', chartOfAccounts.map((account, index) => ({ companyId, id: demoId(`account ${company.key}`, index), ...account }))],
    ['loan', of('loan')],
    ['loan_instalment', of('instalments')],
    ['disbursement', of('disbursement')],
    ['payment', of('payments').map((row, index) => ({ ...row, number: index + 1 }))],
    ['ledger_entry', book.entries],
    ['ledger_line', book.lines],
    ['loan_transaction', of('transactions')],
    ['payment_allocation', of('allocations')],
    ['loan_penalty', of('penalties')],
    ['payment_promise', of('promises').map((row, index) => ({ ...row, number: index + 1 }))],
    ['settlement_quote', of('quotes').map((row, index) => ({ ...row, number: index + 1 }))],
    ['loan_change', of('changes').map((row, index) => ({ ...row, number: index + 1 }))],
    ['dunning_step', dunningSteps({ companyId, key: company.key })],
    [
      'record_counter',
      [
        counter('loan', loans.length),
        counter('disbursement', loans.length),
        counter('payment', of('payments').length),
        counter('paymentPromise', of('promises').length),
        counter('settlementQuote', of('quotes').length),
        counter('loanChange', of('changes').length),
      ],
    ],
    ['outbox', [nightlyJob({ companyId, key: company.key, now })]],
  ]
}

const nightlyJob = ({ companyId, key, now }: { companyId: string; key: string; now: number }) => ({
  companyId,
  id: demoId(`nightly ${key}`),
  type: 'loans.nightly',
  payload: {},
  runAt: new Date(now + 60_000).toISOString(),
})

/** Books what happened on a loan, in the order in which entries are numbered; gives the rows by kind. */
function rowsOf(loan: DemoLoan, book: Book, random: Random, promised: object[] = []) {
  const payout = payoutOf(loan, book)
  const penalties = penaltiesOf(loan, book)
  const payments = repaymentsOf(loan, book)
  const earned = accrueInterest(loan, book)
  const loss = lossOf(loan, earned, book)
  const recoveries = loss?.recoveries ?? []
  return {
    loan: [loanRow(loan, earned, loss?.lost)],
    instalments: instalmentRows(loan),
    disbursement: [payout.row],
    payments: [...payments, ...recoveries].map(({ row }) => row),
    transactions: [payout, ...payments, ...penalties, ...(loss ? [loss] : []), ...recoveries].map(({ made }) => made),
    allocations: [...payments.flatMap(({ lines }) => lines), ...recoveries.map(({ line }) => line)],
    penalties: penalties.map(({ row }) => row),
    promises: promised.length > 0 ? promised : promisesOf(loan, random),
    quotes: quotesOf(loan),
    changes: changesOf(loan),
  }
}

function loanRow(loan: DemoLoan, earned: Decimal, lost: Decimal = zero) {
  const { client, principal, rows, disbursedOn, writtenOffOn } = loan
  return {
    ...stateColumns(loan),
    ...(writtenOffOn === undefined
      ? {}
      : { status: 'Written off', principalOwed: 0, interestOwed: 0, feesOwed: 0, penaltiesOwed: 0, unpaidSince: null }),
    statusReason: writtenOffOn === undefined ? null : 'Nothing was paid for half a year',
    writtenOffOn: writtenOffOn ?? null,
    writtenOff: moneyText(lost),
    groupId: loan.groupId ?? null,
    companyId: loan.companyId,
    id: loan.id,
    tenantId: client.tenantId,
    number: loan.index + 1,
    clientId: client.id,
    officerUserId: client.assignedUserId ?? client.createdByUserId,
    productName: loan.productName,
    terms: loan.terms,
    principal: moneyText(principal),
    owedAtPayout: moneyText(principal),
    paidOut: moneyText(loan.paidOut),
    instalment: moneyText(rows[0]?.total ?? 0),
    instalments: rows.length,
    disbursedOn,
    interestAccrued: moneyText(earned),
    accruedTo: writtenOffOn ?? loan.today,
    createdByUserId: client.createdByUserId,
    dateCreated: `${addDays(disbursedOn, -1)}T09:00:00Z`,
  }
}

const sumOf = (state: Replayed, parts: Parameters<typeof openAmount>[1]) =>
  moneyText(state.instalments.reduce((sum, row) => sum.plus(openAmount(row, parts)), zero))

function stateColumns({ state, rows, paid, today }: DemoLoan) {
  const isOpen = state.instalments.some((row) => openAmount(row).gt(0))
  return {
    status: isOpen ? 'Active' : state.overpaid.gt(0) ? 'Overpaid' : 'Closed',
    maturesOn: rows.at(-1)?.dueOn ?? null,
    closedOn: isOpen ? null : (paid.at(-1)?.on ?? today),
    principalOwed: sumOf(state, ['principal']),
    interestOwed: sumOf(state, ['interest']),
    feesOwed: sumOf(state, ['fee', 'insurance']),
    penaltiesOwed: sumOf(state, ['penalty']),
    overpaid: moneyText(state.overpaid),
    unpaidSince: oldestUnpaid(state.instalments)?.dueOn ?? null,
  }
}

function instalmentRows({ companyId, id: loanId, rows, state }: DemoLoan) {
  let dueSoFar = zero
  return rows.map(({ number, dueOn, total, principal, interest, fee, insurance, balance }, index) => {
    const own = state.instalments[index]
    dueSoFar = dueSoFar.plus(total)
    const amounts = {
      principal,
      interest,
      fee,
      insurance,
      balance,
      dueSoFar,
      penalty: own?.due.penalty ?? zero,
      principalPaid: own?.paid.principal ?? zero,
      interestPaid: own?.paid.interest ?? zero,
      penaltyPaid: own?.paid.penalty ?? zero,
    }
    return {
      companyId,
      loanId,
      number,
      dueOn,
      paidOn: own?.paidOn ?? null,
      feePaid: 0,
      insurancePaid: 0,
      ...Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, moneyText(amount)])),
    }
  })
}

import { interestEarned, openAmount, replay, type Allocation, type Paid, type Replayed } from '@outpost/rules/lending/replay'
import { scheduleOf, type Instalment, type LoanTerms } from '@outpost/rules/lending/terms'
import { Decimal, moneyText, zero } from '@outpost/rules/money'
import { addDays } from '@outpost/rules/time-zone'
import { chartOfAccounts, type Purpose } from '../../apps/server/src/areas/ledger/chart.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'
import type { DemoUser } from './people.ts'

interface Client {
  id: string
  tenantId: string
  assignedUserId?: string | null
  createdByUserId: string
}
/** Rows of a company's portfolio by table, in the order in which they are inserted. */
type Portfolio = [table: string, rows: object[]][]

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

/** A loan of each demo client, over the last fourteen months: paid out, paid back, late or not, with the ledger that says so. */
export function companyLoans({
  company,
  users,
  clients,
  now,
}: {
  company: DemoCompany
  users: readonly DemoUser[]
  clients: readonly object[]
  now: number
}): Portfolio {
  const random = createRandom(`loans ${company.key}`)
  const companyId = demoId(company.key)
  const today = new Date(now).toISOString().slice(0, 10)
  const admin = users.find(({ role }) => role === 'admin')
  const book = createBook({ companyId, key: company.key, userId: admin?.id ?? '' })
  const loans = (clients as Client[]).map((client, index) =>
    loanOf({ company, random, client, index, today, book, by: admin ? `${admin.firstName} ${admin.lastName}` : '' }),
  )
  const of = (table: keyof (typeof loans)[number]) => loans.flatMap((one) => one[table] as object[])
  const last = (objectType: string, count: number) => ({ companyId, objectType, last: count })
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
    [
      'record_counter',
      [
        last('loan', loans.length),
        last('disbursement', loans.length),
        last('payment', of('payments').length),
        last('paymentPromise', of('promises').length),
      ],
    ],
    [
      'outbox',
      [
        {
          companyId,
          id: demoId(`nightly ${company.key}`),
          type: 'loans.nightly',
          payload: {},
          runAt: new Date(now + 60_000).toISOString(),
        },
      ],
    ],
  ]
}

interface Booking {
  tenantId: string
  loanId: string
  key: string
  kind: string
  on: string
  text: string
  paymentId?: string
  postings: readonly (readonly [Purpose, Decimal])[]
}

/** The ledger as it grows; gives the id of each entry. */
function createBook({ companyId, key, userId }: { companyId: string; key: string; userId: string }) {
  const entries: object[] = []
  const lines: object[] = []
  const accountId = (purpose: Purpose) =>
    demoId(
      `account ${key}`,
      chartOfAccounts.findIndex((one) => one.purpose === purpose),
    )
  const book = ({ tenantId, loanId, kind, on, text, paymentId, postings, key: own }: Booking): string => {
    const id = demoId(`entry ${key}`, entries.length)
    entries.push({
      companyId,
      id,
      tenantId,
      key: own,
      kind,
      bookedOn: on,
      valueOn: on,
      text,
      loanId,
      paymentId: paymentId ?? null,
      createdByUserId: userId,
      dateCreated: `${on}T09:00:00Z`,
    })
    for (const [purpose, amount] of postings)
      if (!amount.isZero())
        lines.push({
          companyId,
          id: demoId(`line ${key}`, lines.length),
          tenantId,
          entryId: id,
          accountId: accountId(purpose),
          bookedOn: on,
          loanId,
          debit: moneyText(amount.gt(0) ? amount : zero),
          credit: moneyText(amount.lt(0) ? amount.negated() : zero),
          dateCreated: `${on}T09:00:00Z`,
        })
    return id
  }
  return { entries, lines, book }
}

interface Making {
  company: DemoCompany
  random: Random
  client: Client
  index: number
  today: string
  book: ReturnType<typeof createBook>
  by: string
}
const accountOf: Record<Allocation['part'], Purpose> = {
  principal: 'portfolio',
  interest: 'interestReceivable',
  fee: 'feeReceivable',
  insurance: 'insuranceReceivable',
  penalty: 'penaltyReceivable',
  overpaid: 'overpayments',
}

function loanOf({ company, random, client, index, today, book: { book }, by }: Making) {
  const companyId = demoId(company.key)
  const product = random.pick(products)
  const terms = termsOf(company.currency, product, random.pick(product.months))
  const principal = new Decimal(random.int(20, 200) * 500)
  const disbursedOn = addDays(today, -random.int(12, 420))
  const rows = scheduleOf(terms, principal, disbursedOn)
  const id = demoId(`loan ${company.key}`, index)
  const paid = paymentsOf({ random, rows, today }).map((one, turn): Paid => ({
    ...one,
    id: demoId(`payment ${company.key} ${index}`, turn),
  }))
  const state = replay({ terms, instalments: rows, payments: paid, asOf: today })
  const name = `L-${String(index + 1).padStart(6, '0')}`
  const common = { tenantId: client.tenantId, loanId: id }
  const paidOut = principal.times('0.97')
  const first = book({
    ...common,
    key: `disbursement:${id}`,
    kind: 'disbursement',
    on: disbursedOn,
    text: `Payout of loan ${name}`,
    postings: [
      ['portfolio', principal],
      ['provider', paidOut.negated()],
      ['feeIncome', principal.minus(paidOut).negated()],
    ],
  })
  const transaction = (turn: number, entryId: string, over: object) => ({
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
  const penalties = state.penalties.map(({ number, period, on, amount }, turn) => {
    const entryId = book({
      ...common,
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
      made: transaction(1_000 + turn, entryId, { kind: 'penalty', bookedOn: on, valueOn: on, penalty: moneyText(amount) }),
    }
  })
  const payments = paid.map((one, turn) => {
    const lines = state.allocations.filter(({ paymentId }) => paymentId === one.id)
    const entryId = book({
      ...common,
      key: `payment:${one.id}:0`,
      kind: 'repayment',
      on: one.on,
      paymentId: one.id,
      text: `Payment on loan ${name}`,
      postings: [['provider', new Decimal(one.amount)], ...lines.map(({ part, amount }) => [accountOf[part], amount.negated()] as const)],
    })
    const sum = (part: string) =>
      moneyText(
        lines
          .filter((line) => line.part === part)
          .reduce((total, { amount }) => total.plus(amount), zero)
          .negated(),
      )
    return {
      entryId,
      made: transaction(turn + 1, entryId, {
        kind: 'payment',
        bookedOn: one.on,
        valueOn: one.on,
        paymentId: one.id,
        principal: sum('principal'),
        interest: sum('interest'),
        penalty: sum('penalty'),
        overpaid: moneyText(new Decimal(sum('overpaid')).negated()),
      }),
      row: {
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
      },
      lines: lines.map(({ number, part, amount }, place) => ({
        companyId,
        id: demoId(`allocation ${company.key} ${index} ${turn}`, place),
        paymentId: one.id,
        loanId: id,
        number,
        part,
        amount: moneyText(amount),
        entryId,
        dateCreated: `${one.on}T09:00:00Z`,
      })),
    }
  })
  const closed = state.instalments.every((row) => openAmount(row).isZero())
  const earned = closed
    ? rows.reduce((sum, { interest }) => sum.plus(interest), zero)
    : interestEarned(rows, { disbursedOn, asOf: today, currency: terms.currency })
  book({
    ...common,
    key: `accrual:${id}:${today}`,
    kind: 'accrual',
    on: today,
    text: `Interest of loan ${name} to ${today}`,
    postings: [
      ['interestReceivable', earned],
      ['interestIncome', earned.negated()],
    ],
  })
  const officer = client.assignedUserId ?? client.createdByUserId
  return {
    loan: [
      {
        ...loanColumns({ state, rows, paid, today }),
        companyId,
        id,
        tenantId: client.tenantId,
        number: index + 1,
        clientId: client.id,
        officerUserId: officer,
        productName: product.name,
        terms,
        principal: moneyText(principal),
        owedAtPayout: moneyText(principal),
        paidOut: moneyText(paidOut),
        instalment: moneyText(rows[0]?.total ?? 0),
        instalments: rows.length,
        disbursedOn,
        interestAccrued: moneyText(earned),
        accruedTo: today,
        createdByUserId: client.createdByUserId,
        dateCreated: `${addDays(disbursedOn, -1)}T09:00:00Z`,
      },
    ],
    instalments: instalmentRows({ companyId, loanId: id, rows, state }),
    disbursement: [
      {
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
      },
    ],
    payments: payments.map(({ row }) => row),
    transactions: [
      transaction(0, first, {
        kind: 'disbursement',
        bookedOn: disbursedOn,
        valueOn: disbursedOn,
        paymentId: null,
        principal: moneyText(principal),
      }),
      ...payments.map(({ made }) => made),
      ...penalties.map(({ made }) => ({ ...made, paymentId: null })),
    ],
    allocations: payments.flatMap(({ lines }) => lines),
    penalties: penalties.map(({ row }) => row),
    promises: promisesOf({ company, index, random, client, loanId: id, state, today, by }),
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

const sumOf = (state: Replayed, parts: Parameters<typeof openAmount>[1]) =>
  moneyText(state.instalments.reduce((sum, row) => sum.plus(openAmount(row, parts)), zero))

function loanColumns({ state, rows, paid, today }: { state: Replayed; rows: readonly Instalment[]; paid: readonly Paid[]; today: string }) {
  const oldest = state.instalments.find((row) => openAmount(row).gt(0))
  return {
    status: oldest ? 'Active' : state.overpaid.gt(0) ? 'Overpaid' : 'Closed',
    maturesOn: rows.at(-1)?.dueOn ?? null,
    closedOn: oldest ? null : (paid.at(-1)?.on ?? today),
    principalOwed: sumOf(state, ['principal']),
    interestOwed: sumOf(state, ['interest']),
    feesOwed: sumOf(state, ['fee', 'insurance']),
    penaltiesOwed: sumOf(state, ['penalty']),
    overpaid: moneyText(state.overpaid),
    unpaidSince: oldest?.dueOn ?? null,
  }
}

function instalmentRows({
  companyId,
  loanId,
  rows,
  state,
}: {
  companyId: string
  loanId: string
  rows: readonly Instalment[]
  state: Replayed
}) {
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

/** Clients who are late promised to pay: some of them by a day to come. */
function promisesOf({
  company,
  index,
  random,
  client,
  loanId,
  state,
  today,
  by,
}: {
  company: DemoCompany
  index: number
  random: Random
  client: Client
  loanId: string
  state: Replayed
  today: string
  by: string
}): object[] {
  const late = state.instalments.find((row) => openAmount(row).gt(0) && row.dueOn < today)
  if (!late || random.next() < 0.4) return []
  return [
    {
      companyId: demoId(company.key),
      id: demoId(`promise ${company.key}`, index),
      tenantId: client.tenantId,
      loanId,
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

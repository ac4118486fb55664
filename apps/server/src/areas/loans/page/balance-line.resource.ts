import { defineResource } from '../../../kernel/resource/define.ts'
import { listedAt } from '../../../kernel/screens/tiles.ts'

/** Where the lines of balances are listed. */
export const balancesScreen = '/loans/balances'

const words = (pairs: Readonly<Record<string, string>>) => Object.entries(pairs).map(([value, label]) => ({ value, label }))
const balances = words({
  principal: 'Principal owed',
  interest: 'Interest owed',
  fees: 'Fees and insurance owed',
  penalties: 'Penalties owed',
  overpaid: 'Overpaid',
})
const parts = words({
  principal: 'Principal',
  interest: 'Interest',
  fee: 'Fees',
  insurance: 'Insurance',
  penalty: 'Penalties',
  overpaid: 'Overpaid',
})
const kinds = [
  { value: 'schedule', label: 'Schedule', colour: 'blue' },
  { value: 'disbursement', label: 'Payout', colour: 'blue' },
  { value: 'payment', label: 'Payment', colour: 'green' },
  { value: 'recovery', label: 'Recovery', colour: 'purple' },
  { value: 'penalty', label: 'Penalty', colour: 'gold' },
  { value: 'reversal', label: 'Taken back', colour: 'default' },
  { value: 'refund', label: 'Refund', colour: 'purple' },
  { value: 'writeOff', label: 'Write-off', colour: 'red' },
]

/** Lines that make the balances of a loan: their amounts add up to the balance to the cent. For whoever may see the loan, where the ledger is for few. */
export const loanBalanceLine = defineResource({
  model: 'loanBalanceLine',
  one: 'loanBalanceLine',
  many: 'loanBalanceLines',
  label: 'Line of a balance',
  labelMany: 'Lines of balances',
  title: 'title',
  isScoped: true,
  fields: {
    title: {
      kind: 'text',
      label: 'What',
      readOnly: true,
      sql: `coalesce((select e."text" from ledger_entry e where e."companyId" = t."companyId" and e."id" = t."entryId"), '#' || t."number")`,
    },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    counts: {
      kind: 'choice',
      label: 'Counts as',
      readOnly: true,
      sql: `case t."balance" when 'overpaid' then 'overpaid' else 'owed' end`,
      options: words({ owed: 'Owed', overpaid: 'Overpaid' }),
    },
    balance: { kind: 'choice', label: 'Balance', readOnly: true, options: balances },
    part: { kind: 'choice', label: 'Part', readOnly: true, options: parts },
    kind: { kind: 'choice', label: 'Kind', readOnly: true, options: kinds },
    number: { kind: 'number', label: 'Instalment', readOnly: true },
    valueOn: { kind: 'date', label: 'Value date, or due', readOnly: true },
    bookedOn: { kind: 'date', label: 'Booked', readOnly: true },
    amount: {
      kind: 'money',
      label: 'Amount',
      readOnly: true,
      currency: 'company',
      help: 'What it adds to the balance; below zero it is taken off',
    },
    paymentId: { kind: 'reference', label: 'Payment', to: 'payment', readOnly: true },
    entryId: { kind: 'reference', label: 'Entry', to: 'ledgerEntry', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
  },
  list: {
    columns: ['valueOn', 'kind', 'title', 'part', 'amount', 'number', 'bookedOn', 'paymentId', 'loanId', 'balance'],
    sort: ['valueOn', 'DESC'],
    size: 1_000,
    filters: ['loanId', 'counts', 'balance', 'part', 'kind', 'paymentId', 'tenantId'],
    empty: { title: 'No lines', body: 'Nothing was paid out yet.' },
  },
})

/** The lines behind one balance of a loan, or behind all that it owes. */
export const linesOf = (balance: 'principal' | 'interest' | 'fees' | 'penalties' | 'overpaid' | 'owed'): string =>
  listedAt(balancesScreen, balance === 'owed' ? { loanId: ':Id', counts: 'owed' } : { loanId: ':Id', balance })

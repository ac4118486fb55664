import { defineResource } from '../../kernel/resource/define.ts'

const kinds = [
  { value: 'asset', label: 'Asset', colour: 'blue' },
  { value: 'liability', label: 'Liability', colour: 'orange' },
  { value: 'equity', label: 'Equity', colour: 'purple' },
  { value: 'income', label: 'Income', colour: 'green' },
  { value: 'expense', label: 'Expense', colour: 'red' },
]
/** What is booked, as post() takes it. */
const entryKinds = Object.entries({
  disbursement: 'Payout blue',
  repayment: 'Payment green',
  recovery: 'Recovery purple',
  refund: 'Refund purple',
  suspense: 'Suspense orange',
  accrual: 'Interest and fees default',
  penalty: 'Penalty gold',
  reversal: 'Taken back default',
  writeOff: 'Write-off red',
  strayPayout: 'Payout nobody asked for red',
  transfer: 'Transfer to another branch cyan',
}).map(([value, words]) => ({ value, label: words.slice(0, words.lastIndexOf(' ')), colour: words.slice(words.lastIndexOf(' ') + 1) }))
/** Of the lines that the list shows to the caller: past ones of a loan that came from a branch out of reach are that branch's. */
const sumOf = (what: string) =>
  `coalesce((select sum(${what}) from ledger_line l where l."companyId" = t."companyId" and l."accountId" = t."id"
    and ((select ctx.has_whole_company()) or l."tenantId" = any((select ctx.scope_list())::uuid[]))), 0)`

/** An account of the company's chart. Its balance is the sum of its lines, which its tab shows. */
export const ledgerAccount = defineResource({
  model: 'ledgerAccount',
  one: 'ledgerAccount',
  many: 'ledgerAccounts',
  label: 'Account',
  labelMany: 'Chart of accounts',
  title: 'title',
  writtenBy: 'company',
  fields: {
    title: { kind: 'text', label: 'Account', readOnly: true, sql: `t."code" || ' ' || t."name"` },
    code: { kind: 'text', label: 'Code', required: true, maxLength: 20 },
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    kind: { kind: 'choice', label: 'Kind', required: true, options: kinds, createOnly: true },
    purpose: { kind: 'text', label: 'Booked on for', readOnly: true },
    debit: { kind: 'money', label: 'Debit', readOnly: true, sql: sumOf('l."debit"') },
    credit: { kind: 'money', label: 'Credit', readOnly: true, sql: sumOf('l."credit"') },
    balance: { kind: 'money', label: 'Balance', readOnly: true, sql: sumOf('l."debit" - l."credit"'), help: 'Debit less credit' },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['code', 'name', 'kind', 'debit', 'credit', 'balance'],
    search: ['code', 'name'],
    sort: ['code', 'ASC'],
    size: 200,
    filters: ['kind'],
    empty: { title: 'Nothing was booked yet', body: 'The chart is made with the first entry.' },
  },
  form: [['code', 'name'], ['kind']],
})

/** One side of an entry. Written by post() and reverse() alone, and never changed. */
export const ledgerLine = defineResource({
  model: 'ledgerLine',
  one: 'ledgerLine',
  many: 'ledgerLines',
  label: 'Ledger line',
  labelMany: 'Ledger lines',
  title: 'title',
  isScoped: true,
  fields: {
    title: {
      kind: 'text',
      label: 'Line',
      readOnly: true,
      sql: `(select e."text" from ledger_entry e where e."companyId" = t."companyId" and e."id" = t."entryId")`,
    },
    bookedOn: { kind: 'date', label: 'Booked', readOnly: true },
    valueOn: {
      kind: 'date',
      label: 'Value date',
      readOnly: true,
      sql: `(select e."valueOn" from ledger_entry e where e."companyId" = t."companyId" and e."id" = t."entryId")`,
    },
    entryId: { kind: 'reference', label: 'Entry', to: 'ledgerEntry', readOnly: true },
    accountId: { kind: 'reference', label: 'Account', to: 'ledgerAccount', readOnly: true },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    debit: { kind: 'money', label: 'Debit', readOnly: true },
    credit: { kind: 'money', label: 'Credit', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Booked at', readOnly: true },
  },
  list: {
    columns: ['bookedOn', 'valueOn', 'entryId', 'accountId', 'loanId', 'debit', 'credit', 'tenantId'],
    sort: ['bookedOn', 'DESC'],
    size: 1_000,
    filters: ['accountId', 'loanId', 'entryId', 'tenantId', 'bookedOn'],
    dates: { booked: { label: 'Booked', field: 'bookedOn', window: { kind: 'all' } } },
    empty: { title: 'Nothing booked here' },
  },
})

/** Something booked, with lines that balance. */
export const ledgerEntry = defineResource({
  model: 'ledgerEntry',
  one: 'ledgerEntry',
  many: 'ledgerEntries',
  label: 'Ledger entry',
  labelMany: 'Ledger entries',
  title: 'text',
  isScoped: true,
  fields: {
    text: { kind: 'text', label: 'Text', readOnly: true },
    kind: { kind: 'choice', label: 'Kind', readOnly: true, options: entryKinds },
    bookedOn: { kind: 'date', label: 'Booked', readOnly: true },
    valueOn: { kind: 'date', label: 'Value date', readOnly: true },
    amount: {
      kind: 'money',
      label: 'Amount',
      readOnly: true,
      sql: `(select sum(l."debit") from ledger_line l where l."companyId" = t."companyId" and l."entryId" = t."id")`,
    },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    paymentId: { kind: 'reference', label: 'Payment', to: 'payment', readOnly: true },
    reversesId: { kind: 'reference', label: 'Takes back', to: 'ledgerEntry', readOnly: true },
    lines: { kind: 'lines', label: 'Lines', of: ledgerLine, by: 'entryId', readOnly: true, detailOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Booked at', readOnly: true },
  },
  list: {
    columns: ['bookedOn', 'text', 'kind', 'amount', 'loanId', 'valueOn', 'tenantId'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['kind', 'loanId', 'paymentId', 'tenantId', 'bookedOn'],
    dates: { booked: { label: 'Booked', field: 'bookedOn', window: { kind: 'all' } } },
    empty: { title: 'Nothing booked yet' },
  },
})

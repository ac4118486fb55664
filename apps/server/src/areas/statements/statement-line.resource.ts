import { defineResource } from '../../kernel/resource/define.ts'
import { listedAt } from '../../kernel/screens/tiles.ts'

/** Where the lines of statements are listed. */
export const linesScreen = '/loans/statements/lines'

export const verdicts = [
  { value: 'Loan', label: 'For its loan', colour: 'green' },
  { value: 'Suspense', label: 'For suspense', colour: 'orange' },
  { value: 'Known', label: 'Booked before', colour: 'blue' },
  { value: 'Differs', label: 'Other amount', colour: 'red' },
  { value: 'Out', label: 'Left, not booked', colour: 'red' },
  { value: 'Ignored', label: 'Ignored', colour: 'default' },
]
export const directions = [
  { value: 'in', label: 'Came in', colour: 'green' },
  { value: 'out', label: 'Went out', colour: 'purple' },
]
const words = (label: string) => ({ kind: 'text', label, readOnly: true }) as const

/** A line of a statement, with what booking does or did: what each number of a statement counts. */
export const statementLine = defineResource({
  model: 'moneyStatementLine',
  one: 'statementLine',
  many: 'statementLines',
  label: 'Line of a statement',
  labelMany: 'Lines of statements',
  title: 'reference',
  isScoped: true,
  fields: {
    reference: words('Reference'),
    statementId: { kind: 'reference', label: 'Statement', to: 'moneyStatement', readOnly: true },
    position: { kind: 'number', label: 'Line', readOnly: true, sql: 't."position" + 1' },
    bookedOn: { kind: 'date', label: 'Day', readOnly: true },
    direction: { kind: 'choice', label: 'Direction', readOnly: true, options: directions },
    amount: { kind: 'money', label: 'Amount', readOnly: true, currency: 'company' },
    payer: words('Payer'),
    details: words('Details'),
    verdict: { kind: 'choice', label: 'What is done', readOnly: true, options: verdicts },
    why: words('Why'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    paymentId: { kind: 'reference', label: 'Payment', to: 'payment', readOnly: true },
    disbursementId: { kind: 'reference', label: 'Disbursement', to: 'disbursement', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
  },
  list: {
    columns: [
      'statementId',
      'position',
      'bookedOn',
      'direction',
      'amount',
      'reference',
      'payer',
      'details',
      'verdict',
      'why',
      'loanId',
      'paymentId',
      'disbursementId',
    ],
    sort: ['position', 'ASC'],
    size: 10_000,
    filters: ['statementId', 'verdict', 'direction', 'bookedOn', 'amount', 'reference', 'loanId', 'paymentId', 'tenantId'],
    empty: { title: 'No lines', body: 'No statement has such lines.' },
  },
})

/** The lines behind a number of a statement. */
export const linesWhere = (terms: Readonly<Record<string, string>>): string => listedAt(linesScreen, { statementId: ':Id', ...terms })

import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { dayText } from '../../../kernel/days.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { carryOut } from './change.carry-out.ts'
import { planOf, summaryOf, wantedOf } from './change.plan.ts'
import { findLoan } from '../settling/loan.book.ts'

type Row = ModelRow<'loanChange'>
const reason = { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } } as const
const isRestructure = { eq: ['kind', 'restructure'] as [string, string] }
const isHoliday = { eq: ['kind', 'holiday'] as [string, string] }
const amount = (label: string) => ({ kind: 'money', label, readOnly: true, currency: 'company' }) as const

/** Other terms for what is left of a loan, or a payment holiday: asked for by one person, carried out when another one approves. */
export const loanChange = defineResource({
  model: 'loanChange',
  one: 'loanChange',
  many: 'loanChanges',
  label: 'Restructure',
  labelMany: 'Restructures',
  title: 'changeNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  workflow: {
    field: 'status',
    route: 'loanChanges.move',
    states: {
      Requested: { meaning: 'open', colour: 'blue' },
      Approved: { meaning: 'done', colour: 'green' },
      Rejected: { meaning: 'cancelled', colour: 'red' },
      Withdrawn: { meaning: 'cancelled', colour: 'default' },
    },
    path: ['Requested', 'Approved'],
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'approve', label: 'Approve', from: ['Requested'], to: 'Approved', fourEyes: true, after: carryOut },
      { name: 'reject', label: 'Reject', from: ['Requested'], to: 'Rejected', danger: true, ask: reason },
      { name: 'withdraw', label: 'Withdraw', from: ['Requested'], to: 'Withdrawn', danger: true },
    ],
  },
  fields: {
    changeNumber: recordNumber({ prefix: 'RS-', digits: 6 }, 'Restructure'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', required: true, createOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    kind: {
      kind: 'choice',
      label: 'Kind',
      required: true,
      defaultValue: 'restructure',
      options: [
        { value: 'restructure', label: 'Other terms', colour: 'blue' },
        { value: 'holiday', label: 'Payment holiday', colour: 'gold' },
      ],
    },
    instalments: {
      kind: 'number',
      label: 'Instalments from now on',
      min: 1,
      max: 600,
      visibleIf: isRestructure,
      help: 'Left empty: as many as are left',
    },
    annualRate: { kind: 'percent', label: 'Rate a year (%)', min: 0, max: 1_000, visibleIf: isRestructure, help: 'Left empty: as it is' },
    firstDueAt: { kind: 'date', label: 'First one due', visibleIf: isRestructure, help: 'Left empty: one period from the approval' },
    graceOnPrincipal: { kind: 'number', label: 'First ones without principal', min: 0, max: 120, visibleIf: isRestructure },
    skip: {
      kind: 'number',
      label: 'Instalments left out',
      min: 1,
      max: 52,
      visibleIf: isHoliday,
      requiredIf: isHoliday,
      help: 'All later ones move by as many periods; interest runs on',
    },
    reason: { kind: 'longText', label: 'Why', required: true, maxLength: 1_000 },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    instalmentBefore: amount('Next instalment before'),
    instalmentAfter: amount('Next instalment after'),
    totalBefore: amount('Still to pay before'),
    totalAfter: amount('Still to pay after'),
    lastBefore: { kind: 'date', label: 'Last one due before', readOnly: true },
    lastAfter: { kind: 'date', label: 'Last one due after', readOnly: true },
    carriedOutOn: { kind: 'date', label: 'Carried out on', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Asked for by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Asked for by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Asked for', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'changeNumber',
      'loanId',
      'clientId',
      'kind',
      'status',
      'instalmentBefore',
      'instalmentAfter',
      'totalBefore',
      'totalAfter',
      'lastAfter',
      'createdBy',
      'tenantId',
    ],
    sort: ['dateCreated', 'DESC'],
    search: ['changeNumber'],
    size: 1_000,
    filters: ['status', 'kind', 'loanId', 'clientId', 'tenantId', 'dateCreated', 'carriedOutOn'],
    empty: { title: 'No restructures here', body: 'Ask for one on the page of a loan.' },
  },
  form: [['loanId'], ['kind'], ['instalments', 'annualRate'], ['firstDueAt', 'graceOnPrincipal'], ['skip'], ['reason']],
  prepare: prepareChange,
})

/** The request says what it would do as of today; approval computes it anew. What was decided is not changed any more. */
async function prepareChange(ctx: Ctx, { kind, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const asked = ['kind', 'instalments', 'annualRate', 'firstDueAt', 'graceOnPrincipal', 'skip', 'reason'] as const
  const isAsked = asked.some((key) => Object.hasOwn(input, key))
  if (before && before.status !== 'Requested' && isAsked && input.status === undefined && asked.some((key) => differs(key, input, before)))
    fail('INVALID', { fields: [{ field: 'status', message: `is ${before.status}: it cannot be changed any more` }] })
  if (before && (before.status !== 'Requested' || !isAsked || input.status !== undefined)) return {}
  const loan = await findLoan(ctx, String(input.loanId ?? before?.loanId))
  if (!loan) return {}
  if (loan.status !== 'Active') fail('INVALID', { fields: [{ field: 'loanId', message: `is ${loan.status}` }] })
  const plan = await planOf(ctx, loan, wantedOf({ ...before, ...input }))
  return { clientId: loan.clientId, tenantId: loan.tenantId, ...summaryOf(plan) } as unknown as Partial<Row>
}

const differs = (key: keyof Row, input: Partial<Row>, before: Row) =>
  Object.hasOwn(input, key) && textOf(input[key]) !== textOf(before[key])
const textOf = (value: unknown): string =>
  value instanceof Date ? dayText(value) : value == null || value === '' ? '' : String(Number.isNaN(Number(value)) ? value : Number(value))

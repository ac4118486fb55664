import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { dayText } from '../../../kernel/days.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'

type Row = ModelRow<'paymentPromise'>

/** A client's promise to pay an amount by a day. The nightly run says whether it was kept. */
export const promise = defineResource({
  model: 'paymentPromise',
  one: 'paymentPromise',
  many: 'paymentPromises',
  label: 'Promise to pay',
  labelMany: 'Promises to pay',
  title: 'promiseNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  workflow: {
    field: 'status',
    route: 'promises.move',
    states: {
      Open: { meaning: 'open', colour: 'blue' },
      Kept: { meaning: 'done', colour: 'green' },
      Broken: { meaning: 'missed', colour: 'red' },
      Cancelled: { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'keep', label: 'Kept', from: ['Open'], to: 'Kept', madeBy: 'program' },
      { name: 'break', label: 'Broken', from: ['Open'], to: 'Broken', madeBy: 'program' },
      {
        name: 'cancel',
        label: 'Cancel',
        from: ['Open'],
        to: 'Cancelled',
        danger: true,
        ask: { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } },
      },
    ],
  },
  fields: {
    promiseNumber: recordNumber({ prefix: 'P-', digits: 6 }, 'Promise'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', required: true, createOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    amount: { kind: 'money', label: 'Amount', required: true, currency: 'company' },
    dueOn: { kind: 'date', label: 'By', required: true },
    channel: {
      kind: 'choice',
      label: 'Made by',
      required: true,
      defaultValue: 'Call',
      options: ['Call', 'Visit', 'Branch', 'Message'].map((value) => ({ value, label: value, colour: 'default' })),
    },
    note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    paid: { kind: 'money', label: 'Paid by then', readOnly: true, currency: 'company' },
    decidedOn: { kind: 'date', label: 'Decided on', readOnly: true },
    activityId: { kind: 'reference', label: 'Task', to: 'activity', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Taken by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: {
      kind: 'reference',
      label: 'Taken by (person)',
      to: 'user',
      isCompanyWide: true,
      readOnly: true,
      given: { of: 'userId' },
    },
    dateCreated: { kind: 'dateTime', label: 'Taken', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'promiseNumber',
      'loanId',
      'clientId',
      'amount',
      'dueOn',
      'status',
      'paid',
      'channel',
      'createdBy',
      'tenantId',
      'dateCreated',
    ],
    sort: ['dueOn', 'DESC'],
    search: ['promiseNumber'],
    size: 10_000,
    filters: ['status', 'loanId', 'clientId', 'dueOn', 'tenantId', 'createdByUserId', 'decidedOn'],
    dates: {
      due: { label: 'By', field: 'dueOn', window: { kind: 'all' } },
      decided: { label: 'Decided', field: 'decidedOn', window: { kind: 'all' } },
    },
    empty: { title: 'No promises here', body: 'Take one down when a client says when they will pay.' },
  },
  form: [['loanId'], ['amount', 'dueOn'], ['channel'], ['note']],
  prepare: preparePromise,
})

async function preparePromise(ctx: Ctx, { kind, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  if (input.amount !== undefined && Number(input.amount) <= 0) failField('amount', 'must be more than 0')
  const dueOn = input.dueOn === undefined ? undefined : typeof input.dueOn === 'string' ? (input.dueOn as string) : dayText(input.dueOn)
  const isMoved = dueOn !== undefined && dueOn !== (before ? dayText(before.dueOn) : '')
  if (isMoved && dueOn < today(ctx)) failField('dueOn', 'lies in the past')
  const changed = ['amount', 'dueOn'].some((key) => Object.hasOwn(input, key))
  if (before && before.status !== 'Open' && changed && input.status === undefined) {
    const isSame = !isMoved && (input.amount === undefined || Number(input.amount) === Number(before.amount))
    if (!isSame) failField('amount', `cannot be changed: the promise is ${before.status}`)
  }
  if (kind === 'update') return {}
  const loan = await ctx.sql.maybe<{ clientId: string; tenantId: string; status: string }>(sql`
    select "clientId", "tenantId", "status" from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${input.loanId ?? null}::uuid and "deletedAt" is null`)
  if (!loan) return {}
  if (loan.status !== 'Active') failField('loanId', `is ${loan.status}: nothing is owed`)
  return { clientId: loan.clientId, tenantId: loan.tenantId }
}

import { networkOptions } from '@outpost/rules/loans/mobile-money'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Tile } from '../../../kernel/screens/widgets.ts'
import { giveUp, takeReturn } from './stray.clear.ts'

const reason = { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } as const
const text = (label: string) => ({ kind: 'text', label, readOnly: true }) as const

const channels = [
  { value: 'mobileMoney', label: 'Mobile money' },
  { value: 'bank', label: 'Bank transfer' },
  { value: 'cash', label: 'Cash' },
]

/** Money that left once more than it was asked for. The program makes it; people say with a reason what became of it. */
export const strayPayout = defineResource({
  model: 'strayPayout',
  one: 'strayPayout',
  many: 'strayPayouts',
  label: 'Payout to ask back',
  labelMany: 'Payouts to ask back',
  title: 'strayNumber',
  isScoped: true,
  isSoftDeleted: true,
  workflow: {
    field: 'status',
    route: 'strayPayouts.move',
    states: {
      Open: { meaning: 'open', colour: 'red' },
      Returned: { meaning: 'done', colour: 'green' },
      'Given up': { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'statusReason', returnedOn: 'returnedOn', returnReference: 'returnReference' },
    moves: [
      {
        name: 'return',
        label: 'It came back',
        from: ['Open'],
        to: 'Returned',
        ask: {
          returnedOn: { kind: 'date', label: 'Came back on', required: true },
          returnReference: {
            kind: 'text',
            label: 'Reference of the money that came back',
            maxLength: 60,
            help: 'A payment in suspense with this reference and amount is this money: it is reversed',
          },
          reason,
        },
        after: takeReturn,
      },
      { name: 'giveUp', label: 'Give it up', from: ['Open'], to: 'Given up', danger: true, ask: { reason }, after: giveUp },
    ],
  },
  fields: {
    strayNumber: recordNumber({ prefix: 'Y-', digits: 5 }, 'Payout to ask back'),
    disbursementId: { kind: 'reference', label: 'Disbursement', to: 'disbursement', readOnly: true },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    amount: { kind: 'money', label: 'Amount', readOnly: true, currency: 'company' },
    reference: text('Reference'),
    leftOn: { kind: 'date', label: 'Left on', readOnly: true },
    channel: { ...text('Channel'), options: channels },
    provider: { ...text('Provider'), options: networkOptions },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: text('Reason'),
    returnedOn: { kind: 'date', label: 'Came back on', readOnly: true },
    returnReference: text('Reference of the money that came back'),
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Told', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'strayNumber',
      'status',
      'amount',
      'reference',
      'leftOn',
      'disbursementId',
      'loanId',
      'returnedOn',
      'tenantId',
      'dateCreated',
    ],
    sort: ['dateCreated', 'DESC'],
    search: ['strayNumber', 'reference', 'returnReference'],
    size: 1_000,
    filters: ['status', 'disbursementId', 'loanId', 'leftOn', 'tenantId', 'amount', 'dateCreated'],
    dates: { told: { label: 'Told', field: 'dateCreated', window: { kind: 'all' } } },
    empty: {
      title: 'Nothing left twice',
      body: 'A payout that a provider pays once more than it was asked for waits here until it is back.',
    },
  },
})

/** What dashboards count of them. */
export const strayTiles: readonly Tile[] = [
  {
    id: 'stray-payouts',
    title: 'Payouts to ask back',
    resource: strayPayout,
    permissions: ['LOAN/DISBURSEMENTS'],
    screen: '/loans/stray-payouts',
    terms: () => [{ field: 'status', op: 'eq', value: 'Open' }],
    on: { home: {} },
  },
]

import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { may } from '../../kernel/area.ts'

const access = may('CLIENTS/USSD', 'CLIENTS/EDIT')
const program = { kind: 'text', readOnly: true } as const

/** What somebody asked for by USSD: a loan, or to be called back. Made by their session. */
export const ussdRequest = defineResource({
  model: 'ussdRequest',
  one: 'ussdRequest',
  many: 'ussdRequests',
  label: 'USSD request',
  labelMany: 'USSD requests',
  title: 'requestNumber',
  isScoped: true,
  isSoftDeleted: true,
  workflow: {
    field: 'status',
    route: 'ussd.moveRequest',
    states: {
      Open: { meaning: 'open', colour: 'blue' },
      Done: { meaning: 'done', colour: 'green' },
      Dismissed: { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'done', label: 'Done', from: ['Open'], to: 'Done', access },
      {
        name: 'dismiss',
        label: 'Dismiss',
        from: ['Open'],
        to: 'Dismissed',
        access,
        danger: true,
        ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
      },
      { name: 'reopen', label: 'Reopen', from: ['Done', 'Dismissed'], to: 'Open', access },
    ],
  },
  fields: {
    requestNumber: recordNumber({ prefix: 'U-', digits: 5 }, 'Request'),
    kind: {
      kind: 'choice',
      label: 'Asks for',
      readOnly: true,
      options: [
        { value: 'Loan', label: 'Loan', colour: 'purple' },
        { value: 'Call back', label: 'Call back', colour: 'blue' },
      ],
    },
    amount: { kind: 'money', label: 'Amount', readOnly: true, currency: 'company' },
    msisdn: { ...program, label: 'Number' },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    sessionId: { kind: 'reference', label: 'Session', to: 'ussdSession', readOnly: true },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { ...program, label: 'Reason' },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Asked', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['requestNumber', 'kind', 'amount', 'clientId', 'msisdn', 'status', 'assignedUserId', 'tenantId', 'dateCreated'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['status', 'kind', 'clientId', 'assignedUserId', 'tenantId', 'dateCreated'],
    dates: { asked: { label: 'Asked', field: 'dateCreated', window: { kind: 'all' } } },
    empty: { title: 'Nobody has asked for anything', body: 'A loan request or a call back of a USSD session comes here.' },
  },
  actions: [{ open: 'tel::msisdn', key: 'call', label: 'Call', scope: 'row', access: may('CLIENTS/USSD', 'CLIENTS') }],
})

import { defineResource } from '../../kernel/resource/define.ts'
import { dunningActions } from './dunning.resource.ts'

export const outcomes = [
  { value: 'Reached', label: 'Reached', colour: 'green' },
  { value: 'Promised', label: 'Promised to pay', colour: 'blue' },
  { value: 'Refused', label: 'Refused', colour: 'red' },
  { value: 'No answer', label: 'No answer', colour: 'default' },
  { value: 'Not found', label: 'Not found', colour: 'orange' },
  { value: 'Sent', label: 'Message sent', colour: 'default' },
]

/** What was done about a late loan, and what came of it. Never changed. */
export const loanContact = defineResource({
  model: 'loanContact',
  one: 'loanContact',
  many: 'loanContacts',
  label: 'Contact',
  labelMany: 'Contacts about arrears',
  title: 'title',
  isScoped: true,
  fields: {
    title: { kind: 'text', label: 'Contact', readOnly: true, sql: `t."action" || ': ' || t."outcome"` },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    action: { kind: 'choice', label: 'What was done', options: dunningActions, readOnly: true },
    outcome: { kind: 'choice', label: 'What came of it', options: outcomes, readOnly: true },
    note: { kind: 'longText', label: 'Note', readOnly: true },
    daysPastDue: { kind: 'number', label: 'Days past due then', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Who', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Who (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'When', readOnly: true },
  },
  list: {
    columns: ['dateCreated', 'action', 'outcome', 'note', 'daysPastDue', 'loanId', 'clientId', 'createdBy', 'tenantId'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['action', 'outcome', 'loanId', 'clientId', 'tenantId', 'dateCreated'],
    dates: { made: { label: 'When', field: 'dateCreated', window: { kind: 'all' } } },
    empty: { title: 'Nothing was done yet', body: 'What is done from the worklist is listed here.' },
  },
})

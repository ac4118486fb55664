import { remoteResource } from '../../../kernel/remote/remote.ts'

/** What follows when a rule matches: people are told, a webhook is called, a command is sent. The specification calls it an event action. */
export const eventReaction = remoteResource({
  one: 'eventAction',
  many: 'eventActions',
  label: 'Reaction',
  labelMany: 'Reactions',
  title: 'name',
  calls: 'geo.eventActions',
  answers: { one: 'eventAction', many: 'eventActions' },
  sorts: ['name', 'actionType', 'isActive', 'dateCreated', 'dateModified'],
  ignores: ['type', 'attributes', 'eventIo'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    eventIoId: { kind: 'reference', label: 'Rule', to: 'eventIo' },
    eventIo: { kind: 'text', label: 'Rule', readOnly: true },
    actionType: {
      kind: 'choice',
      label: 'What follows',
      required: true,
      options: [
        { value: 'notify', label: 'Tell people here', colour: 'blue' },
        { value: 'email', label: 'Send mail', colour: 'cyan' },
        { value: 'sms', label: 'Send SMS', colour: 'purple' },
        { value: 'webhook', label: 'Call a webhook', colour: 'default' },
        { value: 'command', label: 'Send a command', colour: 'orange' },
      ],
    },
    parameters: { kind: 'json', label: 'Details', required: true, isTechnical: true },
    hasSecret: { kind: 'boolean', label: 'Signed', readOnly: true, isTechnical: true },
    isActive: { kind: 'boolean', label: 'On', defaultValue: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant' },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
  },
  list: {
    columns: ['name', 'eventIo', 'actionType', 'isActive', 'tenantId', 'dateCreated'],
    search: ['name'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'actionType', 'isActive', 'tenantId', 'dateCreated'],
    empty: { title: 'No reactions yet', body: 'Say at a rule whom it tells; those appear here.' },
  },
  actions: [
    {
      route: 'eventActions.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this reaction?', body: 'What waits already is still done.' },
    },
  ],
})

import { eventTypes } from '@outpost/contract/geo/events'
import { remoteResource } from '../../../kernel/remote/remote.ts'

export const eventTypeOptions = Object.entries(eventTypes).map(([value, { label }]) => ({ value, label }))
export const severities = [
  { value: 'info', label: 'Information', colour: 'blue' },
  { value: 'warning', label: 'Warning', colour: 'orange' },
  { value: 'critical', label: 'Critical', colour: 'red' },
]

/** A rule: which events of devices matter, when and where. The specification calls it an event IO. */
export const eventRule = remoteResource({
  one: 'eventIo',
  many: 'eventIos',
  label: 'Event rule',
  labelMany: 'Event rules',
  title: 'name',
  calls: 'geo.eventIos',
  answers: { one: 'eventIo', many: 'eventIos' },
  sorts: ['name', 'eventType', 'severity', 'isActive', 'dateCreated', 'dateModified'],
  ignores: ['type', 'attributes', 'actions'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    eventType: { kind: 'choice', label: 'When', required: true, options: eventTypeOptions },
    severity: { kind: 'choice', label: 'Severity', defaultValue: 'warning', options: severities },
    conditions: { kind: 'json', label: 'Only if', isTechnical: true },
    calendar: { kind: 'json', label: 'Hours', isTechnical: true },
    schedule: { kind: 'json', label: 'Looked at', isTechnical: true },
    cooldownSeconds: { kind: 'number', label: 'Quiet afterwards (s)', min: 0, max: 604_800 },
    isActive: { kind: 'boolean', label: 'On', defaultValue: true },
    actions: { kind: 'number', label: 'Reactions', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant' },
    dateCreated: { kind: 'dateTime', label: 'Added', readOnly: true },
  },
  list: {
    columns: ['name', 'eventType', 'severity', 'actions', 'cooldownSeconds', 'isActive', 'tenantId', 'dateCreated'],
    search: ['name'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'eventType', 'severity', 'isActive', 'tenantId', 'dateCreated'],
    empty: { title: 'No rules yet', body: 'A rule says what you want to hear of: a fence left at night, a power cut, driving too fast.' },
  },
  actions: [
    {
      route: 'eventIos.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this rule?', body: 'Nobody is told by it any more. Events that it counted stay.' },
    },
  ],
})

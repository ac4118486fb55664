import { defineResource } from '../../../kernel/resource/define.ts'
import { meaningOptions } from './activity.meanings.ts'
import { prepareStatus, prepareType } from './option.rules.ts'
import { deleteAction } from '../../../kernel/screens/delete-action.ts'

/** Colours are meanings in the console, so that they hold their contrast in all themes. */
const colourOptions = [
  ['blue', 'Blue'],
  ['cyan', 'Cyan'],
  ['purple', 'Purple'],
  ['gold', 'Gold'],
  ['orange', 'Orange'],
  ['green', 'Green'],
  ['red', 'Red'],
  ['default', 'Grey'],
].map(([value = '', label = '']) => ({ value, label, colour: value }))
const activeOptions = [
  { value: '1', label: 'Active', colour: 'green' },
  { value: '0', label: 'Inactive' },
]

const common = {
  name: { kind: 'text', label: 'Name', required: true, maxLength: 60 },
  status: { kind: 'choice', label: 'Active', options: activeOptions, defaultValue: 1, help: 'Inactive ones are not offered any more' },
  default: { kind: 'boolean', label: 'Default', help: 'Chosen when nothing else is' },
  colour: { kind: 'choice', label: 'Colour', options: colourOptions },
  position: { kind: 'number', label: 'Position', min: 0, max: 1_000, help: 'Smaller ones stand first' },
  tenantId: { kind: 'reference', label: 'Tenant', to: 'tenant', readOnly: true },
  dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
} as const

/** As options: coloured, while they are active, in their order. */
const choices = { colour: 'colour', active: 'status', preset: 'default', order: 'position' } as const

/** A kind of field work that a company, branch or team defines; those of its parents are its own too. */
export const activityType = defineResource({
  model: 'activityType',
  one: 'activityType',
  many: 'activityTypes',
  label: 'Activity type',
  labelMany: 'Activity types',
  title: 'name',
  isScoped: true,
  choices,
  fields: {
    ...common,
    duration: { kind: 'number', label: 'Minutes', min: 5, max: 1_440, defaultValue: 60, help: 'How long a new one takes' },
    geofenceRadius: {
      kind: 'number',
      label: 'Circle (metres)',
      min: 10,
      max: 100_000,
      help: 'A visit from further away is marked; empty: nobody looks',
    },
  },
  list: {
    columns: ['name', 'status', 'default', 'colour', 'duration', 'geofenceRadius', 'position', 'tenantId'],
    sort: ['position', 'ASC'],
    size: 10_000,
    filters: ['status', 'tenantId'],
    empty: { title: 'No activity types yet', body: 'Add the first kind of work that your people do.' },
  },
  form: [['name', 'status'], ['duration', 'geofenceRadius'], ['colour', 'position'], ['default']],
  actions: [
    deleteAction('activityTypes.remove', {
      title: 'Delete this type?',
      body: 'One that activities use cannot be deleted: make it inactive.',
    }),
  ],
  prepare: prepareType,
})

/** How far an activity is, in a company's own words; the meaning behind them is one of five. */
export const activityStatus = defineResource({
  model: 'activityStatus',
  one: 'activityStatus',
  many: 'activityStatuses',
  label: 'Activity status',
  labelMany: 'Activity statuses',
  title: 'name',
  isScoped: true,
  choices,
  fields: {
    ...common,
    meaning: { kind: 'choice', label: 'Means', required: true, options: meaningOptions, help: 'What reports and rules make of it' },
  },
  list: {
    columns: ['name', 'meaning', 'status', 'default', 'colour', 'position', 'tenantId'],
    sort: ['position', 'ASC'],
    size: 10_000,
    filters: ['meaning', 'status', 'tenantId'],
    empty: { title: 'No activity statuses yet', body: 'Add at least one for work to be done and one for work that is done.' },
  },
  form: [['name', 'meaning'], ['status', 'colour'], ['position'], ['default']],
  actions: [
    deleteAction('activityStatuses.remove', {
      title: 'Delete this status?',
      body: 'One that activities use cannot be deleted: make it inactive.',
    }),
  ],
  prepare: prepareStatus,
})

import { optionChoices, optionFields } from '../../../kernel/relations/own-options.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { meaningOptions } from './activity.meanings.ts'
import { prepareStatus, prepareType } from './option.rules.ts'
import { deleteAction } from '../../../kernel/screens/delete-action.ts'

/** A kind of field work that a company, branch or team defines; those of its parents are its own too. */
export const activityType = defineResource({
  model: 'activityType',
  one: 'activityType',
  many: 'activityTypes',
  label: 'Activity type',
  labelMany: 'Activity types',
  title: 'name',
  isScoped: true,
  choices: optionChoices,
  fields: {
    ...optionFields,
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
  choices: optionChoices,
  fields: {
    ...optionFields,
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

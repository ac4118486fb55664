import { defineResource } from '../../../kernel/resource/define.ts'
import { prepareMaintenanceEntry } from './maintenance.rules.ts'

/** A time that a plan was done to a vehicle: when, at which reading, for how much, with its papers. */
export const maintenanceEntry = defineResource({
  model: 'maintenanceEntry',
  one: 'maintenanceEntry',
  many: 'maintenanceEntries',
  label: 'Maintenance done',
  labelMany: 'Maintenance done',
  title: 'doneOn',
  isScoped: true,
  isSoftDeleted: true,
  keeps: ['files'],
  fields: {
    planId: { kind: 'reference', label: 'What was done', to: 'maintenancePlan', required: true, createOnly: true },
    assetId: { kind: 'reference', label: 'Vehicle', to: 'asset', required: true, createOnly: true },
    doneOn: { kind: 'date', label: 'Done on', required: true },
    odometer: { kind: 'number', label: 'Odometer (km)', min: 0, max: 10_000_000, help: 'Needed where the plan goes by distance' },
    engineHours: { kind: 'number', label: 'Engine hours', min: 0, max: 1_000_000, help: 'Needed where the plan goes by hours' },
    cost: { kind: 'money', label: 'Cost', currency: 'company', min: 0 },
    workshop: { kind: 'text', label: 'Workshop', maxLength: 120 },
    note: { kind: 'longText', label: 'Note', maxLength: 2_000 },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdByUserId: { kind: 'reference', label: 'Entered by', to: 'user', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Entered', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['doneOn', 'assetId', 'planId', 'odometer', 'engineHours', 'cost', 'workshop', 'createdByUserId'],
    search: ['workshop', 'note'],
    sort: ['doneOn', 'DESC'],
    size: 1_000,
    filters: ['assetId', 'planId', 'doneOn', 'workshop', 'createdByUserId', 'tenantId'],
    empty: { title: 'Nothing was done yet', body: 'Enter what the workshop did: the next time is counted from it.' },
  },
  form: [['planId', 'assetId'], ['doneOn', 'cost'], ['odometer', 'engineHours'], ['workshop'], ['note']],
  actions: [
    {
      route: 'maintenanceEntries.remove',
      label: 'Delete',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      danger: true,
      confirm: { title: 'Delete the chosen entries?', body: 'When it is due next is counted from the entry before.' },
    },
  ],
  prepare: prepareMaintenanceEntry,
})

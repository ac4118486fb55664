import { defineResource } from '../../../kernel/resource/define.ts'
import { listedAt } from '../../../kernel/screens/tiles.ts'
import { assetCategory } from '../assets/asset-category.resource.ts'
import { prepareMaintenancePlan } from './maintenance.rules.ts'

/** What is done to a vehicle, or to all of a category, again and again; whoever is responsible is reminded once when it falls due. */
export const maintenancePlan = defineResource({
  model: 'maintenancePlan',
  one: 'maintenancePlan',
  many: 'maintenancePlans',
  label: 'Maintenance plan',
  labelMany: 'Maintenance plans',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  fields: {
    name: { kind: 'text', label: 'What is done', required: true, maxLength: 80 },
    assetId: { kind: 'reference', label: 'Vehicle', to: 'asset', help: 'Either a vehicle, or all of a category' },
    categoryId: { kind: 'choice', label: 'Category', from: assetCategory },
    everyKm: {
      kind: 'number',
      label: 'Every (km)',
      min: 100,
      max: 1_000_000,
      help: 'Whichever comes first: distance, hours of the engine, or days',
    },
    everyHours: { kind: 'number', label: 'Every (engine hours)', min: 1, max: 100_000 },
    everyDays: { kind: 'number', label: 'Every (days)', min: 1, max: 3_650 },
    responsibleUserId: {
      kind: 'reference',
      label: 'Who is reminded',
      to: 'user',
      given: { of: 'userId' },
      help: 'Without: whoever makes the plan',
    },
    isActive: { kind: 'boolean', label: 'Active', defaultValue: true },
    entries: {
      kind: 'number',
      label: 'Times done',
      readOnly: true,
      opens: listedAt('/tracking/maintenance/done', { planId: ':Id' }),
      sql: `select count(*)::int from maintenance_entry e where e."companyId" = t."companyId" and e."planId" = t."id" and e."deletedAt" is null`,
    },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    note: { kind: 'longText', label: 'Note', maxLength: 2_000 },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'assetId', 'categoryId', 'everyKm', 'everyHours', 'everyDays', 'responsibleUserId', 'isActive', 'entries'],
    search: ['name'],
    sort: ['name', 'ASC'],
    size: 1_000,
    filters: ['name', 'assetId', 'categoryId', 'responsibleUserId', 'isActive', 'tenantId'],
    empty: { title: 'No maintenance plans yet', body: 'For example: service every 10,000 km or 180 days, for all vans.' },
  },
  form: [['name', 'isActive'], ['assetId', 'categoryId'], ['everyKm', 'everyHours', 'everyDays'], ['responsibleUserId'], ['note']],
  actions: [
    {
      route: 'maintenancePlans.remove',
      label: 'Delete',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      danger: true,
      confirm: { title: 'Delete the chosen plans?', body: 'What was done stays. Nobody is reminded any more.' },
    },
  ],
  prepare: prepareMaintenancePlan,
})

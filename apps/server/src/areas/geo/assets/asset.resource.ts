import { mapIconOptions } from '@outpost/rules/fleet/map-icons'
import { defineResource } from '../../../kernel/resource/define.ts'
import { prepareAsset } from './asset.rules.ts'
import { assetCategory } from './asset-category.resource.ts'

const groups = `select coalesce(json_agg(json_build_object('Id', g."id", 'label', g."name") order by g."name"), '[]') from asset_group_member m
  join asset_group g on g."companyId" = m."companyId" and g."id" = m."assetGroupId" where m."companyId" = t."companyId" and m."assetId" = t."id"`

export const assetStatuses = [
  { value: 'Active', label: 'On the road', colour: 'green' },
  { value: 'Workshop', label: 'In the workshop', colour: 'orange' },
  { value: 'Off the road', label: 'Off the road', colour: 'default' },
  { value: 'Sold', label: 'Sold', colour: 'blue' },
]

/**
 * A vehicle or another thing that trackers are mounted on. Who sees it is decided by company, reach and the roles of its groups:
 * the asset wall is row-level security (ctx.hidden_assets), so it holds for lists, exports, search and reports alike.
 */
export const asset = defineResource({
  model: 'asset',
  one: 'asset',
  many: 'assets',
  label: 'Asset',
  labelMany: 'Assets',
  title: 'registrationNumber',
  isScoped: true,
  isSoftDeleted: true,
  offline: 'list',
  ignores: ['vehicle', 'asset_devices', 'devices', 'telemetry', 'coords', 'name', 'address', 'features', 'photos'],
  fields: {
    registrationNumber: { kind: 'text', label: 'Registration number', required: true, maxLength: 40 },
    make: { kind: 'text', label: 'Make', maxLength: 80 },
    model: { kind: 'text', label: 'Model', maxLength: 80 },
    colour: { kind: 'text', label: 'Colour', maxLength: 40 },
    year: { kind: 'number', label: 'Year', min: 1900, max: 2100 },
    vehicleIdentificationNumber: { kind: 'text', label: 'VIN', maxLength: 40 },
    engineNumber: { kind: 'text', label: 'Engine number', maxLength: 60 },
    odometer: {
      kind: 'number',
      label: 'Odometer (km)',
      min: 0,
      max: 10_000_000,
      help: 'As the dashboard shows it now; what its tracker measures is added from then on',
    },
    odometerAt: { kind: 'dateTime', label: 'Odometer read', readOnly: true },
    engineHours: { kind: 'number', label: 'Engine hours', min: 0, max: 1_000_000 },
    engineHoursAt: { kind: 'dateTime', label: 'Engine hours read', readOnly: true },
    mapIcon: { kind: 'choice', label: 'Icon on the map', defaultValue: 'car', options: mapIconOptions },
    status: { kind: 'choice', label: 'Status', defaultValue: 'Active', options: assetStatuses },
    categoryId: { kind: 'choice', label: 'Category', from: assetCategory },
    groupIds: {
      kind: 'multiReference',
      label: 'Groups',
      to: 'assetGroup',
      max: 20,
      through: { pairs: 'assetGroupMember', other: 'assetGroupId' },
      sql: groups,
      help: 'Only people with the role of one of its groups see it. Without groups: everybody in reach.',
    },
    clientId: {
      kind: 'reference',
      label: 'Client',
      to: 'client',
      help: 'Whose it is. It secures all loans of this client, where no loan is named',
    },
    loanId: { kind: 'reference', label: 'Secures the loan', to: 'loan', help: 'Where it secures another person’s loan, or only this one' },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    note: { kind: 'longText', label: 'Note', maxLength: 2_000 },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['registrationNumber', 'make', 'model', 'status', 'categoryId', 'groupIds', 'clientId', 'tenantId', 'dateCreated'],
    search: ['registrationNumber', 'make', 'model', 'colour', 'vehicleIdentificationNumber', 'engineNumber'],
    sort: ['registrationNumber', 'ASC'],
    size: 100,
    filters: [
      'registrationNumber',
      'make',
      'model',
      'colour',
      'year',
      'status',
      'categoryId',
      'clientId',
      'loanId',
      'tenantId',
      'dateCreated',
    ],
    dates: { dateCreated: { label: 'Created', field: 'dateCreated', window: { kind: 'all' } } },
    empty: { title: 'No assets in your reach yet', body: 'Add a vehicle, or adopt a tracker that reports already under Devices.' },
  },
  form: [
    ['registrationNumber', 'status'],
    ['make', 'model'],
    ['colour', 'year'],
    ['vehicleIdentificationNumber', 'engineNumber'],
    ['odometer', 'engineHours'],
    ['mapIcon', 'categoryId'],
    ['groupIds'],
    ['clientId', 'loanId'],
    ['note'],
  ],
  actions: [
    {
      route: 'assets.remove',
      label: 'Delete',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      danger: true,
      undo: 'assets.restore',
      confirm: {
        title: 'Delete the chosen assets?',
        body: 'Their trips stay. Take their trackers off first: one that is mounted keeps its asset.',
      },
    },
  ],
  keeps: ['comments', 'files'],
  prepare: prepareAsset,
})

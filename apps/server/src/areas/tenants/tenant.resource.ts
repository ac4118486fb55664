import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { prepareTenant } from './tenant.rules.ts'
import { deleteAction } from '../../kernel/screens/delete-action.ts'

const types = [
  { value: '1', label: 'Group' },
  { value: '2', label: 'Company' },
  { value: '3', label: 'Branch' },
  { value: '4', label: 'Team' },
]

/** Whether the row of an alias names a place. */
export const hasPlace = (alias: string) => `nullif(nullif(lower(trim(${alias}."location")), ''), 'unknown') is not null`
/** Of the tenant itself, or of the nearest one above it that names a place. */
const above = (
  column: string,
) => `select a.${column} from tenant a where a."companyId" = t."companyId" and a."id" = any(t."path") and ${hasPlace('a')}
  order by cardinality(a."path") desc limit 1`

/** A node of the tree Group > Company > Branch > Team. Callers see those in their reach. */
export const tenant = defineResource({
  model: 'tenant',
  one: 'tenant',
  many: 'tenants',
  label: 'Tenant',
  labelMany: 'Tenants',
  title: 'name',
  writtenBy: 'prepared',
  isSoftDeleted: true,
  isIdentity: true,
  hasSearchIndex: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    shortCode: {
      kind: 'text',
      label: 'Short code',
      required: true,
      maxLength: 12,
      help: 'Shown in brackets behind what belongs to another tenant',
    },
    type: { kind: 'choice', label: 'Type', createOnly: true, required: true, options: types },
    tenant_type: { kind: 'number', label: 'Tenant type', sql: 't."type"', readOnly: true },
    parentId: { kind: 'reference', label: 'Parent', to: 'tenant' },
    location: { kind: 'text', label: 'Location', maxLength: 200, help: 'Left empty, the parent’s counts' },
    effectiveLocation: { kind: 'text', label: 'Location that counts', readOnly: true, sql: above('"location"') },
    lat: { kind: 'number', label: 'Latitude', min: -90, max: 90 },
    lng: { kind: 'number', label: 'Longitude', min: -180, max: 180 },
    effectiveLat: { kind: 'number', label: 'Latitude that counts', readOnly: true, isTechnical: true, sql: above('"lat"::float8') },
    effectiveLng: { kind: 'number', label: 'Longitude that counts', readOnly: true, isTechnical: true, sql: above('"lng"::float8') },
    locationRequired: {
      kind: 'boolean',
      label: 'Agents must share their location',
      readOnly: true,
      sql: 'ctx.location_is_required(t."companyId", t."path")',
      help: 'Chosen in the settings, here or above',
    },
    assessmentDays: {
      kind: 'number',
      label: 'Affordability assessments hold (days)',
      min: 1,
      max: 365,
      help: 'Of a company; left empty: 90',
    },
    phone: { kind: 'phone', label: 'Phone' },
    emailAddress: { kind: 'email', label: 'E-mail' },
    address: { kind: 'longText', label: 'Address', maxLength: 500 },
    country: { kind: 'text', label: 'Country (two letters)', maxLength: 2 },
    currency: { kind: 'text', label: 'Currency (three letters)', maxLength: 3 },
    timeZone: { kind: 'text', label: 'Time zone', maxLength: 60 },
    users: {
      kind: 'number',
      label: 'Users',
      readOnly: true,
      sql: `select count(*)::int from user_tenant m where m."companyId" = t."companyId" and m."tenantId" = t."id"`,
    },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      options: [
        { value: '1', label: 'Active', colour: 'green' },
        { value: '0', label: 'Closed' },
      ],
    },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'shortCode', 'type', 'parentId', 'location', 'users', 'dateCreated'],
    search: ['name', 'shortCode', 'location'],
    sort: ['parentId', 'DESC'],
    size: 10_000,
    filters: ['type', 'parentId'],
    presentation: 'tree',
    parentKey: 'parentId',
    empty: { title: 'No tenants in your reach' },
  },
  form: [
    ['name', 'shortCode'],
    ['type', 'parentId'],
    ['location'],
    ['lat', 'lng'],
    ['assessmentDays'],
    ['phone', 'emailAddress'],
    ['address'],
    ['country', 'currency'],
    ['timeZone'],
  ],
  actions: [
    deleteAction('tenants.remove', {
      title: 'Delete this tenant?',
      body: 'Only a tenant without users, leads and tenants below it can be deleted.',
    }),
  ],
  visible: ({ scope }) => (scope === '*' ? null : sql`t."id" = any(${scope}::uuid[])`),
  prepare: prepareTenant,
})

import { defineResource } from '../../../kernel/resource/define.ts'
import { listedAt } from '../../../kernel/screens/tiles.ts'
import { sql } from '@outpost/platform/db/sql'

/** What kind of thing an asset is, in the company's own words. */
export const assetCategory = defineResource({
  model: 'assetCategory',
  one: 'assetCategory',
  many: 'assetCategories',
  label: 'Asset category',
  labelMany: 'Asset categories',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    assets: {
      kind: 'number',
      label: 'Assets',
      readOnly: true,
      opens: listedAt('/tracking/assets', { categoryId: ':Id' }),
      sql: `select count(*)::int from asset a where a."companyId" = t."companyId" and a."categoryId" = t."id" and a."deletedAt" is null`,
    },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
  },
  list: {
    columns: ['name', 'assets', 'dateCreated'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'dateCreated'],
    empty: { title: 'No categories yet', body: 'For example: Motorbikes, Pool cars, Collateral.' },
  },
  form: [['name']],
  held: {
    find: ({ company }, ids) =>
      sql`select distinct "categoryId" as id from asset where "companyId" = ${company.id} and "categoryId" = any(${ids}::uuid[]) and "deletedAt" is null`,
    message: 'Assets are of this category. Give them another one first.',
  },
  actions: [
    {
      route: 'assetCategories.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this category?', body: 'Only one without assets can go.' },
    },
  ],
})

import { defineResource } from '../../../kernel/resource/define.ts'
import { sql } from '@outpost/platform/db/sql'

/** Assets that only people of one role see. Whoever changes a group changes who sees its assets. */
export const assetGroup = defineResource({
  model: 'assetGroup',
  one: 'assetGroup',
  many: 'assetGroups',
  label: 'Asset group',
  labelMany: 'Asset groups',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    roleId: {
      kind: 'reference',
      label: 'Seen by the role',
      to: 'role',
      help: 'Only its people, and administrators, see the assets of this group. Left empty: everybody in reach.',
    },
    assets: {
      kind: 'number',
      label: 'Assets',
      readOnly: true,
      sql: `select count(*)::int from asset_group_member m join asset a on a."companyId" = m."companyId" and a."id" = m."assetId" and a."deletedAt" is null where m."companyId" = t."companyId" and m."assetGroupId" = t."id"`,
    },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
  },
  list: {
    columns: ['name', 'roleId', 'assets', 'dateCreated'],
    sort: ['name', 'ASC'],
    size: 100,
    filters: ['name', 'roleId', 'dateCreated'],
    empty: { title: 'No groups yet', body: 'Without groups everybody who may see the map sees all assets in reach.' },
  },
  form: [['name'], ['roleId']],
  held: {
    // Without its group an asset would be seen by everybody in reach.
    find: ({ company }, ids) =>
      sql`select distinct "assetGroupId" as id from asset_group_member where "companyId" = ${company.id} and "assetGroupId" = any(${ids}::uuid[])`,
    message: 'Assets are in this group. Take them out first: without it everybody in reach would see them.',
  },
  actions: [
    {
      route: 'assetGroups.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this group?', body: 'Only one without assets can go.' },
    },
  ],
})

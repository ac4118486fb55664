import type { Option } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { refuseInTree } from '../../../kernel/relations/tree.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { deleteAction } from '../../../kernel/screens/delete-action.ts'
import type { Ctx, FieldDefinition, PrepareWrite } from '../../../kernel/types.ts'
import { categoryNotFound } from './category.errors.ts'

const links = (table: string) => `from ${table} x where x."companyId" = t."companyId" and x."reportCategoryId" = t."id"`

/** The pairs with their own ids beside what they name, as the specification has them. */
const named = ({ pairs, target, id, link }: { pairs: string; target: string; id: string; link: string }) =>
  `select coalesce(json_agg(json_build_object('Id', o."id", 'name', o."name", 'label', o."name", '${link}', o."link") order by o."name", o."id"), '[]')
    from (select n."id", n."name", x."id" as "link" from ${pairs} x join ${target} n on n."companyId" = x."companyId" and n."id" = x."${id}"
      where x."companyId" = t."companyId" and x."reportCategoryId" = t."id") o`

/** Who sees it, by links with ids of their own, and when it was made. */
const others = {
  roles: {
    kind: 'multiReference',
    label: 'Roles',
    to: 'role',
    max: 100,
    through: { pairs: 'reportCategoryRole', own: 'reportCategoryId' },
    sql: named({ pairs: 'report_category_role', target: 'role', id: 'roleId', link: 'reportCatRolesId' }),
    help: 'Only their people see it; empty: all roles',
  },
  tenants: {
    kind: 'multiReference',
    label: 'Tenants',
    to: 'tenant',
    max: 500,
    through: { pairs: 'reportCategoryTenant', own: 'reportCategoryId' },
    sql: named({ pairs: 'report_category_tenant', target: 'tenant', id: 'tenantId', link: 'reportCatTenantsId' }),
    help: 'Only who works there, above or below sees it; empty: all tenants',
  },
  reportCatRolesId: {
    kind: 'json',
    label: 'Roles (ids of the links)',
    readOnly: true,
    isTechnical: true,
    sql: `select coalesce(json_agg(x."id" order by x."id"), '[]') ${links('report_category_role')}`,
  },
  reportCatTenantsId: {
    kind: 'json',
    label: 'Tenants (ids of the links)',
    readOnly: true,
    isTechnical: true,
    sql: `select coalesce(json_agg(x."id" order by x."id"), '[]') ${links('report_category_tenant')}`,
  },
  dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
  dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
} as const satisfies Record<string, FieldDefinition>

/** A heading that reports are grouped under; `reports`: those there are. Where two people change one without a network, who arrives last is right. */
export const reportCategoryOf = (reports: readonly Option[]) =>
  defineResource({
    model: 'reportCategory',
    one: 'reportCategory',
    many: 'reportCategories',
    label: 'Report category',
    labelMany: 'Report categories',
    title: 'name',
    writtenBy: 'company',
    isSoftDeleted: true,
    isSynced: true,
    offline: 'read-write',
    notFound: categoryNotFound,
    fields: {
      name: { kind: 'text', label: 'Name', required: true, maxLength: 80, merge: 'last' },
      parentCategoryId: {
        kind: 'reference',
        label: 'Within',
        to: 'reportCategory',
        merge: 'last',
        help: 'Empty: a category of its own',
      },
      reports: {
        kind: 'multiChoice',
        label: 'Reports',
        options: reports,
        merge: 'last',
        help: 'Shown under this heading in the list of reports',
      },
      ...others,
    },
    list: {
      columns: ['name', 'reports', 'roles', 'tenants', 'dateCreated'],
      search: ['name'],
      sort: ['dateCreated', 'DESC'],
      size: 10_000,
      filters: ['name', 'reports', 'roles', 'tenants', 'dateCreated'],
      presentation: 'tree',
      parentKey: 'parentCategoryId',
      empty: { title: 'No categories yet', body: 'Make the first one: the list of reports is grouped by them then.' },
    },
    form: [['name', 'parentCategoryId'], ['reports'], ['roles', 'tenants']],
    actions: [deleteAction('reportCategories.remove', { title: 'Delete this category?', body: 'Its reports stay.' })],
    held: {
      find: ({ company }, ids) => sql`
        select "parentCategoryId" as id from report_category where "companyId" = ${company.id}::uuid and "parentCategoryId" = any(${ids}::uuid[])
          and "deletedAt" is null and not "id" = any(${ids}::uuid[])`,
      message: 'Other categories lie in it. Move them first.',
    },
    prepare: prepareCategory,
  })

type Row = ModelRow<'reportCategory'>
const tree = { table: 'report_category', title: 'name', label: 'category' } as const

/** Two of a name within one category are one; none lies in itself. */
async function prepareCategory(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { name = '', parentCategoryId = null } = { ...before, ...input }
  await refuseInTree(ctx, tree, 'parentCategoryId', { id, name, parentId: parentCategoryId })
  return input.reports === null ? { reports: [] } : {}
}

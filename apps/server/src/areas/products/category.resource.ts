import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { defineResource } from '../../kernel/resource/define.ts'
import { listedAt } from '../../kernel/screens/tiles.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

/** The shelves of the product configurator; they may lie in one another. */
export const productCategory = defineResource({
  model: 'productCategory',
  one: 'productCategory',
  many: 'productCategories',
  label: 'Product category',
  labelMany: 'Product categories',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    parentId: { kind: 'reference', label: 'Within', to: 'productCategory', help: 'Empty: a category of its own' },
    description: { kind: 'longText', label: 'Description', maxLength: 1_000 },
    products: {
      kind: 'number',
      label: 'Products',
      readOnly: true,
      opens: listedAt('/products', { categoryId: ':Id' }),
      sql: `select count(*)::int from product p where p."companyId" = t."companyId" and p."categoryId" = t."id" and p."deletedAt" is null`,
    },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'products', 'description', 'dateModified'],
    search: ['name', 'description'],
    sort: ['name', 'ASC'],
    size: 1_000,
    presentation: 'tree',
    parentKey: 'parentId',
    empty: { title: 'No categories yet', body: 'A product lies in a category: make the first one.' },
  },
  form: [['name', 'parentId'], ['description']],
  actions: [bulkDeleteAction('products.removeCategory', { title: 'Delete the chosen categories?' }, 'products.restoreCategory')],
  held: {
    find: ({ company }, ids) => sql`
      select "categoryId" as id from product where "companyId" = ${company.id}::uuid and "categoryId" = any(${ids}::uuid[]) and "deletedAt" is null
      union select "parentId" from product_category where "companyId" = ${company.id}::uuid and "parentId" = any(${ids}::uuid[]) and "deletedAt" is null and not "id" = any(${ids}::uuid[])`,
    message: 'Products or categories lie in it. Move them first.',
  },
  prepare: prepareCategory,
})

type Row = ModelRow<'productCategory'>

/** Two of a name within one category are one; none lies in itself. */
async function prepareCategory(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { name = '', parentId = null } = { ...before, ...input }
  // Moves of categories wait for each other: two at once could lay each into the other.
  await ctx.sql.query(sql`select pg_advisory_xact_lock(hashtextextended(${`product_category ${ctx.company.id}`}, 0))`)
  const [found] = await ctx.sql.query<{ isTwin: boolean; isWithin: boolean }>(sql`
    with recursive above("id", "parentId") as (
      select "id", "parentId" from product_category where "companyId" = ${ctx.company.id}::uuid and "id" = ${parentId}::uuid
      union select c."id", c."parentId" from product_category c join above a on a."parentId" = c."id" where c."companyId" = ${ctx.company.id}::uuid)
    select exists (select from above where "id" = ${id}::uuid) as "isWithin", exists (select from product_category where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null
      and "id" <> ${id}::uuid and "parentId" is not distinct from ${parentId}::uuid and upper("name") = upper(${name})) as "isTwin"`)
  if (found?.isWithin) fail('INVALID', { fields: [{ field: 'parentId', message: 'lies in this category: that would be a circle' }] })
  if (found?.isTwin) fail('INVALID', { fields: [{ field: 'name', message: 'is there already' }] })
  return kind === 'create' ? { createdByUserId: ctx.user.id } : {}
}

import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { refuseInTree } from '../../kernel/relations/tree.ts'
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
const tree = { table: 'product_category', title: 'name', label: 'category' } as const

/** Two of a name within one category are one; none lies in itself. */
async function prepareCategory(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { name = '', parentId = null } = { ...before, ...input }
  await refuseInTree(ctx, tree, 'parentId', { id, name, parentId })
  return kind === 'create' ? { createdByUserId: ctx.user.id } : {}
}

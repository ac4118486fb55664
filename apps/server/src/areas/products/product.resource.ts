import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { defineResource } from '../../kernel/resource/define.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Ctx } from '../../kernel/types.ts'
import { duplicateProduct } from './product.errors.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

/** The version of product `t` in force today, by the company's day; `columns` of it as SQL over alias v. */
const inForce = (
  columns: string,
) => `select ${columns} from product_version v where v."companyId" = t."companyId" and v."productId" = t."id" and v."state" = 'Published'
  and v."effectiveFrom" <= (now() at time zone (select c."timeZone" from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"))::date
  and (v."effectiveUntil" is null or v."effectiveUntil" >= (now() at time zone (select c."timeZone" from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"))::date)
  order by v."effectiveFrom" desc, v."number" desc limit 1`
const money = (column: string) => `(${inForce(`v."${column}"`)})::float8`

/** Products (alias t) with a version in force that the tenant worked in offers. */
export const isOnOffer = ({ tenant }: Pick<Ctx, 'tenant'>): Statement =>
  sql`exists (${trusted(inForce('1'))}) and ctx.offers_product(t."companyId", ${[...tenant.path]}::uuid[], t."id")`

/** A kind of loan that the company offers. Who sets products up sees all; others those on offer where they work. */
export const product = defineResource({
  model: 'product',
  one: 'product',
  many: 'products',
  label: 'Product',
  labelMany: 'Products',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  hasSearchIndex: true,
  fields: {
    code: { kind: 'text', label: 'Code', required: true, maxLength: 20, help: 'Short and unique, as on papers' },
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    categoryId: { kind: 'reference', label: 'Category', to: 'productCategory', required: true },
    description: { kind: 'longText', label: 'Description', maxLength: 2_000 },
    versionInForce: { kind: 'number', label: 'Version in force', readOnly: true, sql: inForce('v."number"') },
    annualRate: { kind: 'percent', label: 'Interest a year', readOnly: true, sql: money('annualRate') },
    minAmount: { kind: 'money', label: 'Amount from', readOnly: true, sql: money('minAmount') },
    maxAmount: { kind: 'money', label: 'Amount to', readOnly: true, sql: money('maxAmount') },
    productId: { kind: 'text', label: 'Product (id)', readOnly: true, isTechnical: true, sql: `t."id"` },
    productCategoryId: { kind: 'text', label: 'Category (id)', readOnly: true, isTechnical: true, sql: `t."categoryId"` },
    productCategoryName: {
      kind: 'text',
      label: 'Category name',
      readOnly: true,
      isTechnical: true,
      sql: `select c."name" from product_category c where c."companyId" = t."companyId" and c."id" = t."categoryId"`,
    },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'code', 'categoryId', 'versionInForce', 'annualRate', 'minAmount', 'maxAmount'],
    search: ['name', 'code', 'description'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['categoryId', 'dateCreated'],
    empty: { title: 'No products yet', body: 'A product says what a loan may be and what it costs.' },
  },
  form: [['name', 'code'], ['categoryId'], ['description']],
  actions: [
    {
      route: 'products.newVersion',
      label: 'New version',
      scope: 'row',
      idField: 'id',
      confirm: {
        title: 'Begin a new version?',
        body: 'It is a draft with the terms of the newest one. Nothing changes until it is published.',
      },
    },
    bulkDeleteAction(
      'products.remove',
      {
        title: 'Delete the chosen products?',
        body: 'No further applications are made from them. Loans that were made stay as they are.',
      },
      'products.restore',
    ),
  ],
  duplicates: {
    columns: ['code'],
    error: duplicateProduct,
    find: ({ code = [] }) => sql`
      select "id", "companyId" as "tenantId", 'code' as "column", upper("code") as value from product
      where "companyId" = (select ctx.company()) and upper("code") = any(${code.map((one) => one.toUpperCase())}::text[]) and "deletedAt" is null`,
  },
  visible: (ctx) => (holdsAny(ctx, 'ADMIN/PRODUCTS', 'ADMIN/TENANTS/EDIT') ? null : isOnOffer(ctx)),
  prepare: (ctx, { kind }) => (kind === 'create' ? { createdByUserId: ctx.user.id } : {}),
})

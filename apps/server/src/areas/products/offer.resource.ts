import { defineResource } from '../../kernel/resource/define.ts'

/** Whether a tenant offers a product; the matrix writes these, one for each mark of its own. */
export const productOffer = defineResource({
  model: 'productOffer',
  one: 'productOffer',
  many: 'productOffers',
  label: 'Product of a tenant',
  labelMany: 'Products of tenants',
  title: 'productId',
  writtenBy: ['tenantId'],
  fields: {
    tenantId: { kind: 'reference', label: 'Tenant', to: 'tenant', required: true, createOnly: true },
    productId: { kind: 'reference', label: 'Product', to: 'product', required: true, createOnly: true },
    isOffered: { kind: 'boolean', label: 'Offered', required: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['tenantId', 'productId', 'isOffered', 'dateModified'],
    sort: ['dateModified', 'DESC'],
    size: 10_000,
    filters: ['tenantId', 'productId', 'isOffered'],
  },
  prepare: (ctx, { kind }) => (kind === 'create' ? { createdByUserId: ctx.user.id } : {}),
})

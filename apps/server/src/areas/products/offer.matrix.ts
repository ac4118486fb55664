import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { z } from 'zod'
import { tenantInReach } from '../../kernel/session/reach.ts'
import { createRecord, getRecord, removeRecords, updateRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { tenant } from '../tenants/index.ts'
import { productOffer } from './offer.resource.ts'
import { product } from './product.resource.ts'

const cell = z.strictObject({
  productId: idSchema,
  isOffered: z.boolean(),
  /** A mark of its own; without: inherited. */
  isOwn: z.boolean(),
  /** The tenant above whose mark it inherits; null where nobody above has one. */
  from: z.string().nullable(),
})
export const matrixAnswer = z.strictObject({
  products: z.array(z.strictObject({ Id: idSchema, name: z.string(), code: z.string(), category: z.string(), isPublished: z.boolean() })),
  tenants: z.array(z.strictObject({ Id: idSchema, name: z.string(), type: z.int(), depth: z.int(), cells: z.array(cell) })),
})

/** Which tenants in the caller's reach offer which product, each in the place of the tree, with what is inherited and what is its own. */
export async function offerMatrix(ctx: Ctx): Promise<Answer> {
  const { id } = ctx.company
  const reach = tenantInReach(ctx, sql`t."id"`)
  const products = await ctx.sql.query(sql`
    select p."id" as "Id", p."name", p."code", c."name" as category, exists (select from product_version v where v."companyId" = p."companyId" and v."productId" = p."id" and v."state" = 'Published') as "isPublished"
    from product p join product_category c on c."companyId" = p."companyId" and c."id" = p."categoryId"
    where p."companyId" = ${id}::uuid and p."deletedAt" is null order by c."name", p."name", p."id"`)
  const tenants = await ctx.sql.query(sql`
    select t."id" as "Id", t."name", t."type", cardinality(t."path") - 1 as depth, coalesce((select json_agg(json_build_object('productId', p."id",
        'isOffered', coalesce(o."isOffered", true), 'isOwn', coalesce(o."tenantId" = t."id", false), 'from', case when o."tenantId" <> t."id" then o."name" end) order by p."id")
      from product p left join lateral (select o."isOffered", o."tenantId", a."name" from product_offer o join tenant a on a."companyId" = o."companyId" and a."id" = o."tenantId"
        where o."companyId" = p."companyId" and o."productId" = p."id" and o."tenantId" = any(t."path") order by array_position(t."path", o."tenantId") desc limit 1) o on true
      where p."companyId" = t."companyId" and p."deletedAt" is null), '[]') as cells
    from tenant t where t."companyId" = ${id}::uuid and t."deletedAt" is null and ${reach} order by (select array_agg(a."name" || a."id"::text order by array_position(t."path", a."id"))
      from tenant a where a."companyId" = t."companyId" and a."id" = any(t."path"))`)
  return { data: { products, tenants } }
}

/** `isOffered` null takes the tenant's own mark away: it inherits again. */
export const offerInput = z.strictObject({ tenantId: idSchema, productId: idSchema, isOffered: z.boolean().nullable() })

/** Sets or takes away a tenant's mark of a product; answers how the matrix is now. */
export async function setOffer(ctx: Ctx, { tenantId, productId, isOffered }: z.infer<typeof offerInput>): Promise<Answer> {
  await getRecord(ctx, product, productId)
  await getRecord(ctx, tenant, tenantId)
  if (ctx.scope !== '*' && !ctx.scope.includes(tenantId)) fail('NOT_FOUND')
  // Two who set the same mark at once: the second one sees what the first one did.
  await takeTurn(ctx.sql, `offer ${tenantId} ${productId}`)
  const found = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from product_offer where "companyId" = ${ctx.company.id}::uuid and "tenantId" = ${tenantId}::uuid and "productId" = ${productId}::uuid`)
  if (isOffered === null) {
    if (found) await removeRecords(ctx, productOffer, [found.id])
  } else if (found) await updateRecord(ctx, productOffer, found.id, { isOffered })
  else await createRecord(ctx, productOffer, { tenantId, productId, isOffered })
  const answer = await offerMatrix(ctx)
  return { ...answer, message: isOffered === null ? 'Inherited again' : isOffered ? 'Offered from now on' : 'No longer offered' }
}

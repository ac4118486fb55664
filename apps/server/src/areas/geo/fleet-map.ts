import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { noInput, query } from '../../kernel/resource/operations.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { asset } from './assets/asset.resource.ts'

/** A fleet as large as one map shows; the geo service tells as many places. */
export const mostAssets = 20_000

/** What the server reads of the geo service's places of assets. */
export const placesShape = z.object({
  assetPlaces: z.array(
    z.object({
      assetId: z.string(),
      type: z.string(),
      state: z.string(),
      lastUpdate: z.string().nullable(),
      alarm: z.string().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    }),
  ),
})

const answer = z.strictObject({
  assets: z.array(
    z.strictObject({
      Id: identifierSchema,
      registrationNumber: z.string(),
      make: z.string().nullable(),
      model: z.string().nullable(),
      mapIcon: z.string(),
      groupIds: z.array(identifierSchema),
    }),
  ),
  groups: z.array(z.strictObject({ Id: identifierSchema, label: z.string() })),
})

/** All assets of the caller in short; where they are comes from the geo service, asked for at the same time. */
export const fleetAssets = query(noInput, assetsInShort, answer)

async function assetsInShort(ctx: Ctx): Promise<Answer> {
  const company = sql`${ctx.company.id}::uuid`
  return {
    json: await ctx.sql.text(sql`
      with shown as (
        select t."id" as "Id", t."registrationNumber", t."make", t."model", t."mapIcon" from asset t where ${visibleRows(ctx, asset)} order by t."registrationNumber", t."id" limit ${mostAssets}
      ), grouped as (
        select m."assetId", json_agg(m."assetGroupId") as ids from asset_group_member m join asset_group g on g."companyId" = m."companyId" and g."id" = m."assetGroupId" and g."deletedAt" is null
        where m."companyId" = ${company} group by 1
      )
      select json_build_object('success', true, 'data', json_build_object(
        'assets', (select coalesce(json_agg(json_build_object('Id', s."Id", 'registrationNumber', s."registrationNumber", 'make', s."make", 'model', s."model", 'mapIcon', s."mapIcon", 'groupIds', coalesce(g.ids, '[]'))
          order by s."registrationNumber", s."Id"), '[]') from shown s left join grouped g on g."assetId" = s."Id"),
        'groups', (select coalesce(json_agg(json_build_object('Id', g."id", 'label', g."name") order by g."name"), '[]') from asset_group g where g."companyId" = ${company} and g."deletedAt" is null)))::text`),
  }
}

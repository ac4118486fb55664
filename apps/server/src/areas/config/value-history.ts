import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nameOf } from '../../kernel/names.ts'
import type { AnySetting } from '../../kernel/settings/define.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { placeOf, type Place } from './place.ts'
import { toldOf, type Recorded } from './value-history.words.ts'

const value = z.union([z.number(), z.string()]).nullable()

export const valueHistoryAnswer = z.strictObject({
  timeline: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      who: z.string(),
      name: z.string(),
      label: z.string(),
      /** Which one, where the label says of several: the word, the holiday. */
      about: z.string().nullable(),
      unit: z.string(),
      before: value,
      after: value,
    }),
  ),
})

const most = 200

/** Who changed which setting of the tenant, when, from what to what: newest first, 200 at most. Null is inherited. */
export const valueHistory =
  (settings: readonly AnySetting[]) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    const timeline = (await recordedOf(place)).flatMap((row) => {
      const { at, who } = row
      return toldOf(settings, row).map((told) => ({ at: new Date(at).toISOString(), who, ...told }))
    })
    return { data: { timeline: timeline.slice(0, most) } }
  }

/** What the audit keeps of a tenant's settings: chosen values, its own record, its holidays; of a whole company tracking and its words too. */
async function recordedOf({ id, companyId, ctx }: Place): Promise<Recorded[]> {
  const whole = id === companyId
  return ctx.sql.query<Recorded>(sql`
    select a."at", coalesce(${nameOf('u')}, '') as who, a."objectType" as kind, a."before", a."after", about.row as about
    from audit_log a
      left join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
      left join lateral (select coalesce(
        case a."objectType" when 'holiday' then (select to_jsonb(h) from holiday h where h."companyId" = a."companyId" and h."id"::text = a."objectId")
          when 'label' then (select to_jsonb(l) from language_label l where l."companyId" = a."companyId" and l."id"::text = a."objectId") end,
        (select coalesce(x."after", x."before") from audit_log x where x."companyId" = a."companyId" and x."objectType" = a."objectType"
          and x."objectId" = a."objectId" and x."action" in ('holiday.create', 'holiday.remove', 'label.create', 'label.remove') order by x."seq" desc limit 1)) as row) about on true
    where a."companyId" = ${companyId}::uuid and (
      (a."objectType" = 'setting' and a."objectId" = ${id}::text)
      or (a."objectType" = 'tenant' and a."objectId" = ${id}::text and a."action" = 'tenant.update')
      or (a."objectType" = 'settings' and a."objectId" = ${whole ? id : null}::text and a."action" = 'geo.settings.update')
      or (a."objectType" = 'label' and ${whole}::boolean)
      or (a."objectType" = 'holiday' and about.row ->> 'tenantId' = ${id}::text))
    order by a."seq" desc limit ${most}`)
}

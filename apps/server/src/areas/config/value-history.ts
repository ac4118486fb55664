import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nameOf } from '../../kernel/names.ts'
import type { Setting } from '../../kernel/settings/define.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { placeOf } from './place.ts'

export const valueHistoryAnswer = z.strictObject({
  timeline: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      who: z.string(),
      name: z.string(),
      label: z.string(),
      unit: z.string(),
      before: z.number().nullable(),
      after: z.number().nullable(),
    }),
  ),
})

interface Entry {
  at: Date
  who: string
  before: { value: number | null }
  after: { name: string; value: number | null }
}

/** Who changed which setting of the tenant, when, from what to what: newest first, 200 at most. Null is inherited. */
export const valueHistory =
  (settings: readonly Setting[]) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    const rows = await place.ctx.sql.query<Entry>(sql`
      select a."at", coalesce(${nameOf('u')}, '') as who, a."before", a."after" from audit_log a
      left join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
      where a."companyId" = ${place.companyId}::uuid and a."objectType" = 'setting' and a."objectId" = ${id}::text order by a."seq" desc limit 200`)
    const timeline = rows.map(({ at, who, before, after: { name, value } }) => {
      const setting = settings.find((one) => one.name === name)
      const { label = name, unit = '' } = setting ?? {}
      return { at: new Date(at).toISOString(), who, name, label, unit, before: before.value, after: value }
    })
    return { data: { timeline } }
  }

import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nameOf } from '../../kernel/names.ts'
import type { AnySetting } from '../../kernel/settings/define.ts'
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
      before: z.union([z.number(), z.string()]).nullable(),
      after: z.union([z.number(), z.string()]).nullable(),
    }),
  ),
})

type Value = number | string | null
interface Entry {
  at: Date
  who: string
  before: { value: Value }
  after: { name: string; value: Value }
}

/** A value as people read it: a choice by its label, a picture by being one. */
function inWords(setting: AnySetting | undefined, value: Value): Value {
  if (!setting || !('refuse' in setting) || value === null) return value
  if (setting.kind === 'picture') return 'a picture'
  return setting.options?.find((option) => option.value === value)?.label ?? value
}

/** Who changed which setting of the tenant, when, from what to what: newest first, 200 at most. Null is inherited. */
export const valueHistory =
  (settings: readonly AnySetting[]) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    const rows = await place.ctx.sql.query<Entry>(sql`
      select a."at", coalesce(${nameOf('u')}, '') as who, a."before", a."after" from audit_log a
      left join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
      where a."companyId" = ${place.companyId}::uuid and a."objectType" = 'setting' and a."objectId" = ${id}::text order by a."seq" desc limit 200`)
    const timeline = rows.map(({ at, who, before, after: { name, value } }) => {
      const setting = settings.find((one) => one.name === name)
      const unit = setting && 'unit' in setting ? setting.unit : ''
      const words = { before: inWords(setting, before.value), after: inWords(setting, value) }
      return { at: new Date(at).toISOString(), who, name, label: setting?.label ?? name, unit, ...words }
    })
    return { data: { timeline } }
  }

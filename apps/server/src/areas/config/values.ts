import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { session } from '../../kernel/session/services.ts'
import { settingLevels, type Setting } from '../../kernel/settings/define.ts'
import { effectiveOf } from '../../kernel/settings/effective.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { placeOf, type Place } from './place.ts'

const origin = z.strictObject({
  /** What holds: the own value, or the one inherited. */
  value: z.number(),
  /** What would hold without a value of its own. */
  inherited: z.number(),
  /** The name of the tenant that the inherited value comes from; null: Outpost's own. */
  from: z.string().nullable(),
})

/** The tenant's own values by name (null: inherited), and where each comes from. */
export const valuesAnswer = z.strictObject({
  settings: z.object({ Id: idSchema, origins: z.record(z.string(), origin) }).catchall(z.number().nullable()),
})

/** Names of settings with a number, or null to inherit. What GET told beside them is ignored. */
export const saveInput = z.object({ id: idSchema, Id: z.unknown().optional(), origins: z.unknown().optional() }).catchall(z.json())

const isFor = ({ level }: Setting, { type }: Place): boolean => type <= settingLevels[level]

/** What the tenant chose, and what it inherits from above. */
export const readValues =
  (settings: readonly Setting[]) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    return { data: { settings: await valuesOf(ctx, settings, place) } }
  }

/** Saves values of a tenant, all or none. Stops with INVALID naming each one that is unknown, out of its bounds or not for that kind of tenant. */
export const saveValues =
  (settings: readonly Setting[]) =>
  async (ctx: Ctx, { id, Id: _, origins: __, ...given }: z.infer<typeof saveInput>): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    const fields = Object.entries(given).flatMap(([field, value]) => {
      const message = faultOf(
        settings.find(({ name }) => name === field),
        place,
        value,
      )
      return message ? [{ field, message }] : []
    })
    if (fields.length > 0) fail('INVALID', { fields })
    await place.ctx.transaction((inner) => store(inner, place, given as Record<string, number | null>))
    session().changed({ companyId: place.companyId })
    session().settings.forget()
    return { data: { settings: await valuesOf(ctx, settings, place) }, message: 'Settings saved' }
  }

function faultOf(setting: Setting | undefined, place: Place, value: unknown): string | undefined {
  if (!setting) return 'is not a setting'
  const { min, max, unit, level } = setting
  if (!isFor(setting, place)) return `is chosen for ${level === 'company' ? 'the whole company' : 'a branch or the whole company'}`
  const isGood = value === null || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
  return isGood ? undefined : `must be a whole number from ${min} to ${max} (${unit})`
}

/** Writes what differs, each with its line in the audit. Two who save at once wait for each other. */
async function store(ctx: Ctx, { id, companyId }: Place, given: Readonly<Record<string, number | null>>): Promise<void> {
  await ctx.sql.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`settings ${id}`}, 0))`)
  const own = await ownValues(ctx, companyId, id)
  const changes = Object.entries(given).filter(([name, value]) => (own.get(name) ?? null) !== value)
  for (const [name, value] of changes) {
    await ctx.sql.exec(
      value === null
        ? sql`delete from setting where "companyId" = ${companyId}::uuid and "tenantId" = ${id}::uuid and "name" = ${name}`
        : sql`insert into setting ("companyId", "tenantId", "name", "value", "modifiedByUserId")
            values (${companyId}::uuid, ${id}::uuid, ${name}, ${JSON.stringify(value)}::jsonb, ${ctx.user.id}::uuid)
            on conflict ("companyId", "tenantId", "name") do update set "value" = excluded."value",
              "modifiedByUserId" = excluded."modifiedByUserId", "dateModified" = now()`,
    )
  }
  audit(
    ctx,
    changes.map(([name, value]) => ({
      action: 'setting.update',
      objectType: 'setting',
      objectId: id,
      // Not by name as a key: the audit would blot out what has "password" in it.
      before: { name, value: own.get(name) ?? null },
      after: { name, value },
    })),
  )
}

async function ownValues(ctx: Ctx, companyId: string, id: string): Promise<Map<string, number>> {
  const rows = await ctx.sql.query<{ name: string; value: number }>(sql`
    select "name", "value" from setting where "companyId" = ${companyId}::uuid and "tenantId" = ${id}::uuid`)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

async function valuesOf(ctx: Ctx, settings: readonly Setting[], place: Place): Promise<Record<string, unknown>> {
  const services = session()
  const chosen = await services.settings.of(place.companyId)
  const above = place.path.filter((id) => id !== place.id)
  const own = await ownValues(place.ctx, place.companyId, place.id)
  const names = await namesOf(
    ctx,
    [...above, chosen.groupId].filter((id) => id !== null),
  )
  const shown = settings.filter((setting) => isFor(setting, place))
  const origins = shown.map((setting) => {
    const { value, from } = effectiveOf(place.type === 1 ? { ...chosen, byName: new Map() } : chosen, setting, above)
    return [
      setting.name,
      { value: own.get(setting.name) ?? value, inherited: value, from: from === null ? null : (names.get(from) ?? null) },
    ]
  })
  return {
    Id: place.id,
    ...Object.fromEntries(shown.map(({ name }) => [name, own.get(name) ?? null])),
    origins: Object.fromEntries(origins),
  }
}

/** The names of tenants above, the group's too, which lies behind the company's wall. */
async function namesOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await session().store.sql.query<{ id: string; name: string }>(sql`
    select t."id", t."name" from tenant t where t."id" = any(${ids}::uuid[])
      and t."companyId" in (${ctx.company.id}::uuid, (select "groupId" from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${ctx.company.id}::uuid))`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

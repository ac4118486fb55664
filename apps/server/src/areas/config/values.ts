import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { session } from '../../kernel/session/services.ts'
import { settingLevels, type AnySetting } from '../../kernel/settings/define.ts'
import { lookSettings } from '../../kernel/settings/look.ts'
import { effectiveOf } from '../../kernel/settings/effective.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { choosesForGroup, placeOf, type Place } from './place.ts'

const settingValue = z.union([z.number(), z.string()])
type Value = z.infer<typeof settingValue>

const origin = z.strictObject({
  /** What holds: the own value, or the one inherited; '' is none. */
  value: settingValue,
  /** What would hold without a value of its own. */
  inherited: settingValue,
  /** The name of the tenant that the inherited value comes from; null: Outpost's own. */
  from: z.string().nullable(),
})

/** The tenant's own values by name (null: inherited), and where each comes from. */
export const valuesAnswer = z.strictObject({
  settings: z.object({ Id: idSchema, origins: z.record(z.string(), origin) }).catchall(settingValue.nullable()),
})

/** Names of settings with a number or a text, or null to inherit. What GET answered beside them is ignored. */
export const saveInput = z.object({ id: idSchema, Id: z.unknown().optional(), origins: z.unknown().optional() }).catchall(z.json())

const isFor = ({ level }: AnySetting, { type }: Place): boolean => type <= settingLevels[level]

/** What the tenant chose, and what it inherits from above. */
export const readValues =
  (settings: readonly AnySetting[]) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    return { data: { settings: await valuesOf(ctx, settings, place) } }
  }

/** Saves values of a tenant, all or none. Stops with INVALID naming each one that is unknown, out of its bounds or not for that kind of tenant. */
export const saveValues =
  (settings: readonly AnySetting[]) =>
  async (ctx: Ctx, { id, Id: _, origins: __, ...given }: z.infer<typeof saveInput>): Promise<Answer> => {
    const place = await placeOf(ctx, id)
    const own = await ownValues(place.ctx, place.companyId, place.id)
    const fields = Object.entries(given).flatMap(([field, value]) => {
      const setting = settings.find(({ name }) => name === field)
      const message = faultOf(setting, place, { value, before: own.get(field) ?? null, mayAll: choosesForGroup(ctx) })
      return message ? [{ field, message }] : []
    })
    if (fields.length > 0) fail('INVALID', { fields })
    await place.ctx.transaction((inner) => storeValues(inner, place, given as Record<string, Value | null>))
    forgetValues(place)
    return { data: { settings: await valuesOf(ctx, settings, place) }, message: 'Settings saved' }
  }

/** Every process reads the values anew. */
export function forgetValues({ companyId }: Place): void {
  session().changed({ companyId })
  session().settings.forget()
}

function faultOf(
  setting: AnySetting | undefined,
  place: Place,
  { value, before, mayAll }: { value: unknown; before: Value | null; mayAll: boolean },
): string | undefined {
  if (!setting) return 'is not a setting'
  if (!isFor(setting, place)) return `is chosen for ${setting.level === 'company' ? 'the whole company' : 'a branch or the whole company'}`
  if (setting.chosenBy === 'group' && !mayAll && value !== before) return 'is chosen by the administrators of the group'
  return value === null || value === before ? undefined : faultOfValue(setting, value)
}

function faultOfValue(setting: AnySetting, value: unknown): string | undefined {
  if ('min' in setting) {
    const { min, max, unit } = setting
    const isGood = Number.isInteger(value) && Number(value) >= min && Number(value) <= max
    return isGood ? undefined : `must be a whole number from ${min} to ${max} (${unit})`
  }
  if (typeof value !== 'string') return 'must be a text'
  // Only the call that takes the picture in knows that there is one.
  return setting.kind === 'picture' ? 'is uploaded, not written' : setting.refuse(value)
}

/** Whoever saves values of the tenant at the same time waits until this transaction ends. */
export async function awaitTurn(ctx: Ctx, { id }: Place): Promise<void> {
  await takeTurn(ctx.sql, `settings ${id}`)
}

/** Writes what differs, each with its line in the audit. Two who save at once wait for each other. */
export async function storeValues(ctx: Ctx, place: Place, given: Readonly<Record<string, Value | null>>): Promise<void> {
  const { id, companyId } = place
  await awaitTurn(ctx, place)
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
  if (changes.some(([name]) => name === lookSettings.logo.name)) await forgetLogos(ctx, companyId)
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

/** A logo that nobody chooses any more is not kept: it was replaced, or taken back. */
async function forgetLogos(ctx: Ctx, companyId: string): Promise<void> {
  await ctx.sql.exec(sql`
    delete from company_logo l where l."companyId" = ${companyId}::uuid and not exists (
      select from setting s where s."companyId" = l."companyId" and s."name" = ${lookSettings.logo.name} and s."value" #>> '{}' = l."id"::text)`)
}

async function ownValues(ctx: Ctx, companyId: string, id: string): Promise<Map<string, Value>> {
  const rows = await ctx.sql.query<{ name: string; value: Value }>(sql`
    select "name", "value" from setting where "companyId" = ${companyId}::uuid and "tenantId" = ${id}::uuid`)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

export async function valuesOf(ctx: Ctx, settings: readonly AnySetting[], place: Place): Promise<Record<string, unknown>> {
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

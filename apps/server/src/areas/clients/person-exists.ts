import { identifierSchema } from '@outpost/contract/input'
import { identifier, sql } from '@outpost/platform/db/sql'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import { findDuplicates, typedField } from '../../kernel/resource/duplicates.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { AnyResource, Answer, Ctx } from '../../kernel/types.ts'
import { findOthers, type OtherPerson } from './other-person.ts'

export const existInput = z.strictObject({
  phonenumber: z.string().max(25).nullish(),
  emailAddress: z.string().max(254).nullish(),
  idNumber: z.string().max(20).nullish(),
  Id: idSchema.optional(),
})

const named = z.strictObject({ field: z.string(), Id: identifierSchema, fullName: z.string() })

export const existAnswer = z.strictObject({
  exists: z.boolean(),
  fields: z.array(z.string()),
  existingId: identifierSchema.optional(),
  existing: z.array(named),
  others: z.array(named).optional(),
})

/**
 * Whether another person of the company (a lead, a client) holds one of the values; who, with their names, only as far as the
 * caller may see them: `existing` names one for each field. `others`: who of the other kind holds one, in the caller's sight; that is no
 * hindrance. For forms that warn while somebody types.
 */
export async function personExists(
  ctx: Ctx,
  { resource, other }: { resource: AnyResource; other: OtherPerson },
  { Id, ...given }: z.infer<typeof existInput>,
): Promise<Answer> {
  const trimmed = given.phonenumber ? trimPhone(given.phonenumber, ctx.company.country) : null
  const values = { trimmedPhonenumber: trimmed, emailAddress: given.emailAddress?.trim().toLowerCase(), idNumber: given.idNumber?.trim() }
  const found = (await findDuplicates(ctx, resource, [values])).filter(({ id }) => id !== Id)
  const fieldOf = (column: string) => (resource.duplicates ? typedField(resource.duplicates, column) : column)
  const fields = [...new Set(found.map(({ column }) => fieldOf(column)))]
  const visible = found.filter(({ isVisible }) => isVisible)
  const names = await namesOf(
    ctx,
    resource,
    visible.map(({ id }) => id),
  )
  const existing = fields.flatMap((field) => {
    const Id = visible.find(({ id, column }) => fieldOf(column) === field && names.has(id))?.id
    return Id ? [{ field, Id, fullName: names.get(Id) }] : []
  })
  const others = await othersOf(ctx, other, { rows: [values], Id })
  return {
    data: { exists: found.length > 0, fields, existingId: visible[0]?.id, existing, ...(others.length > 0 ? { others } : {}) },
  }
}

/** One for each field. */
async function othersOf(ctx: Ctx, other: OtherPerson, asked: Parameters<typeof findOthers>[2]): Promise<z.infer<typeof named>[]> {
  const found = await findOthers(ctx, other, asked)
  return [...Map.groupBy(found, ({ field }) => field).values()].flatMap(([one]) =>
    one ? [{ field: one.field, Id: one.id, fullName: one.name }] : [],
  )
}

async function namesOf(ctx: Ctx, { table }: AnyResource, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.sql.query<{ id: string; name: string }>(sql`
    select "id", concat_ws(' ', "firstName", "lastName") as name from ${identifier(table)} where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

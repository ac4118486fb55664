import { identifierSchema } from '@outpost/contract/input'
import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { tenantInReach } from '../../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { nameOf } from '../../../kernel/names.ts'
import { phoneBookEntry } from './phone-book.resource.ts'

const fields = ['phonenumber', 'otherNumber', 'emailAddress'] as const
type Field = (typeof fields)[number]
/** How somebody is reached, as it was typed. */
export type Reached = Partial<Record<Field, string | null | undefined>>

/** Who has a number or an address already, of those whom the caller sees in the phone book. */
export interface Known {
  field: Field
  Id: string
  kind: 'ENTRY' | 'CLIENT' | 'LEAD'
  name: string
}

interface Asked {
  field: Field
  /** A number by its last nine digits, however it is typed; an address in small letters. */
  key: string
  /** The whole number, as clients and leads have it. */
  number: string
}

/** For each of these rows who has one of its numbers or addresses. Private entries of others are not shown. */
export async function knownNumbers(ctx: Ctx, rows: readonly Reached[]): Promise<Known[][]> {
  const asked = rows.map((row) => askedOf(ctx, row))
  const all = asked.flat()
  const found = all.length === 0 ? [] : await ctx.sql.query<Omit<Known, 'field'> & { key: string }>(everybody(ctx, all))
  const holders = Map.groupBy(found, ({ key }) => key)
  return asked.map((row) =>
    row.flatMap(({ field, key }) => (holders.get(key) ?? []).map(({ Id, kind, name }) => ({ field, Id, kind, name }))),
  )
}

/** What a row is identified by. */
export const askedOf = ({ company }: Pick<Ctx, 'company'>, row: Reached): Asked[] =>
  fields.flatMap((field): Asked[] => {
    const typed = row[field]?.trim() ?? ''
    if (field === 'emailAddress') return typed === '' ? [] : [{ field, key: typed.toLowerCase(), number: '' }]
    const number = trimPhone(typed, company.country) ?? typed.replaceAll(/\D/g, '')
    return number === '' ? [] : [{ field, key: number.slice(-9), number }]
  })

/** Clients and leads are found by the columns that their own rule of duplicates compares; the entries of a company are few. */
function everybody(ctx: Ctx, asked: readonly Asked[]): Statement {
  const [keys, numbers] = [[...new Set(asked.map(({ key }) => key))], [...new Set(asked.map(({ number }) => number))].filter(Boolean)]
  const digits = (column: Statement) => sql`right(regexp_replace(coalesce(${column}, ''), '\\D', '', 'g'), 9)`
  const people = (table: Statement, kind: string) => sql`
    select t."id" as "Id", ${kind} as kind, ${nameOf('t')} as name, k.key
    from ${table} t cross join lateral (values (right(t."trimmedPhonenumber", 9)), (t."emailAddress")) k(key)
    where t."companyId" = ${ctx.company.id}::uuid and t."deletedAt" is null and ${tenantInReach(ctx, sql`t."tenantId"`)}
      and (t."trimmedPhonenumber" = any(${numbers}::text[]) or t."emailAddress" = any(${keys}::text[])) and k.key = any(${keys}::text[])`
  return join(
    [
      sql`
    select t."id" as "Id", 'ENTRY' as kind, t."name", k.key from phone_book_entry t
      cross join lateral (values (${digits(sql`t."phonenumber"`)}), (${digits(sql`t."otherNumber"`)}), (t."emailAddress")) k(key)
    where ${visibleRows(ctx, phoneBookEntry)} and k.key = any(${keys}::text[])`,
      ...(holdsAny(ctx, 'CLIENTS') ? [people(sql`client`, 'CLIENT')] : []),
      ...(holdsAny(ctx, 'SALES/LEADS') ? [people(sql`lead`, 'LEAD')] : []),
    ],
    ' union all ',
  )
}

export const existInput = z.strictObject({
  phonenumber: z.string().max(40).nullish(),
  otherNumber: z.string().max(40).nullish(),
  emailAddress: z.string().max(254).nullish(),
  Id: idSchema.optional(),
})
export const existAnswer = z.strictObject({
  exists: z.boolean(),
  fields: z.array(z.string()),
  /** One for each field, with what kind of record it is. */
  existing: z.array(z.strictObject({ field: z.string(), Id: identifierSchema, name: z.string() })),
})

const kinds = { ENTRY: 'contact', CLIENT: 'client', LEAD: 'lead' } as const
export const ownerName = ({ name, kind }: Pick<Known, 'name' | 'kind'>): string => `${name} (${kinds[kind]})`

/** Warns while somebody types; nothing forbids two contacts with one number, as of a shop with two people. */
export async function numberExists(ctx: Ctx, { Id, ...given }: z.infer<typeof existInput>): Promise<Answer> {
  const [all = []] = await knownNumbers(ctx, [given])
  const byField = Map.groupBy(
    all.filter((one) => one.Id !== Id),
    ({ field }) => field,
  )
  const existing = [...byField.values()].flatMap(([first]) => (first ? [{ field: first.field, Id: first.Id, name: ownerName(first) }] : []))
  return { data: { exists: existing.length > 0, fields: existing.map(({ field }) => field), existing } }
}

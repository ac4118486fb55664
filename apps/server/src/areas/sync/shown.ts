import type { FieldView } from '@outpost/contract/fields'
import { identifier, sql } from '@outpost/platform/db/sql'
import { isIdentifier } from '@outpost/rules/validation'
import { withChoices } from '../../kernel/relations/choices.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { fieldSql } from '../../kernel/resource/read/columns.ts'
import { describeField } from '../../kernel/screens/describe/fields.ts'
import type { Catalogue } from '../../kernel/screens/catalogue.ts'
import type { AnyResource, Ctx, FieldDefinition } from '../../kernel/types.ts'

type Values = Record<string, unknown>
type Definitions = Readonly<Record<string, FieldDefinition>>
/** Values under the names of their fields. */
export interface Named {
  fields: Definitions
  values: Values
}

/** The fields as the console draws them, with the company's own options. */
export function fieldViews(ctx: Ctx, catalogue: Catalogue, fields: Definitions, isChosen: boolean): Promise<FieldView[]> {
  const views = Object.entries(fields).map(([key, field]) => describeField(ctx, catalogue, key, field))
  return withChoices(ctx, views, fields, isChosen)
}

/** For a record beyond the caller's reach, where a list of them is shown. */
const beyond = 'Not visible to you'

/**
 * The values with the names of the records that they mean: `<key>Label` beside a reference (null: beyond the caller's reach), rows of
 * {Id, label} for several, and the same in their lines. Names that came with them are not believed.
 */
export async function withNames(ctx: Ctx, records: readonly Named[]): Promise<Values[]> {
  const wanted = records.flatMap(({ fields, values }) => idsIn(fields, values))
  const names = new Map<string, string>()
  for (const [target, asked] of Map.groupBy(wanted, ([resource]) => resource))
    for (const { id, label } of await titles(ctx, target, [...new Set(asked.map(([, id]) => id))])) names.set(`${target.one}/${id}`, label)
  return records.map(({ fields, values }) => named(fields, values, names))
}

function titles(ctx: Ctx, target: AnyResource, ids: readonly string[]): Promise<{ id: string; label: string }[]> {
  return ctx.sql.query(sql`
    select t."id", ${fieldSql(target, target.title)} as label from ${identifier(target.table)} t
    where t."companyId" = ${ctx.company.id} and t."id" = any(${ids}::uuid[])`)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isRecord = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
const idOf = (value: unknown): string => String(isRecord(value) ? value['Id'] : value)

/** The records that a field's values name; those of another service are named by its own list. */
function targetOf({ to, from }: FieldDefinition): AnyResource | undefined {
  const target = from ?? (to === undefined ? undefined : resourceNamed(to))
  return target?.remote ? undefined : target
}

function idsIn(fields: Definitions, values: Values): [AnyResource, string][] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = values[key]
    if (field.of) return listOf(value).flatMap((line) => (isRecord(line) && field.of ? idsIn(field.of.fields, line) : []))
    const target = targetOf(field)
    const ids = target ? (Array.isArray(value) ? value : [value]).map(idOf).filter(isIdentifier) : []
    return ids.map((id): [AnyResource, string] => [target as AnyResource, id])
  })
}

function named(fields: Definitions, values: Values, names: ReadonlyMap<string, string>): Values {
  const out: Values = { ...values }
  for (const [key, field] of Object.entries(fields)) {
    const [value, target] = [values[key], targetOf(field)]
    const { of } = field
    if (of) out[key] = Array.isArray(value) ? value.map((line: unknown) => (isRecord(line) ? named(of.fields, line, names) : line)) : value
    else if (target && Array.isArray(value))
      out[key] = value.map((one) => ({ Id: idOf(one), label: names.get(`${target.one}/${idOf(one)}`) ?? beyond }))
    else if (target && value !== null && value !== undefined && value !== '')
      out[`${key}Label`] = names.get(`${target.one}/${String(value as string)}`) ?? null
  }
  return out
}

import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import type { AnyResource, FieldDefinition } from '../types.ts'
import { columnOf, ignoredNames, settableFields } from '../resource/define.ts'
import { linesOf, pairsOf, type Lines, type Pairs } from './relations.ts'
import { valueSchema } from '../resource/values.ts'

const most = 1_000

/** What a body may hold in a relation: the whole of it, as it is to be. Left out, it stays as it is. */
export function relationSchema(resource: AnyResource, key: string, field: FieldDefinition): z.ZodType {
  const [pairs, lines] = [pairsOf(resource, key), linesOf(resource, key)]
  const least = field.min ?? (field.required ? 1 : 0)
  if (pairs)
    return z
      .array(otherSchema(pairs))
      .min(least)
      .max(field.max ?? most)
      .transform((ids) => [...new Set(ids)])
  if (!lines) throw new Error(`${resource.one}.${key} is no relation`)
  return z
    .array(lineSchema(lines))
    .min(least, `needs at least ${least}`)
    .max(field.max ?? most, `may hold ${field.max ?? most} at most`)
    .refine((given) => {
      const ids = given.flatMap(({ Id }) => Id ?? [])
      return new Set(ids).size === ids.length
    }, 'names a line twice')
}

/** The other side of a pair, by id or as the record that a list shows: what was read may be sent back. */
function otherSchema({ isText, other }: Pairs): z.ZodType<string> {
  const text = z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((value) => !value.includes('\0'), 'may not hold the NUL character')
  if (isText) return z.union([text, z.looseObject({ [other]: text }).transform((record) => String(record[other]))])
  return z.union([identifierSchema, z.looseObject({ Id: identifierSchema }).transform(({ Id }) => Id)])
}

/** A line as a body writes it: the fields of its resource, each optional, and its Id once it has one. What a new one needs is asked when it is known to be new. */
function lineSchema({ of, by }: Lines): z.ZodType<Record<string, unknown>> {
  const fields = Object.fromEntries(
    settableFields(of)
      .filter(([key]) => key !== by)
      .map(([key, field]) => [key, valueSchema(field, columnOf(of, key)).optional()]),
  )
  const others = new Set([...ignoredNames(of), by, 'position'].filter((key) => !Object.hasOwn(fields, key)))
  const ignored = z.unknown().meta({ readOnly: true }).optional()
  return z
    .strictObject({ ...Object.fromEntries([...others].map((key) => [key, ignored])), Id: identifierSchema.nullish(), ...fields })
    .transform((line: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(line).filter(([key, value]) => value !== undefined && !others.has(key) && !(key === 'Id' && value === null)),
      ),
    )
}

import { z } from 'zod'
import { fail } from '@outpost/contract/errors'
import { maxSorts } from '@outpost/contract/envelope'
import { identifierSchema } from '@outpost/contract/input'
import { holds } from '@outpost/contract/fields'
import { fieldErrors } from '@outpost/platform/failures'
import { isIdentifier, isNoIdentifier } from '@outpost/rules/validation'
import type { AnyResource, FieldDefinition } from '../types.ts'
import { isUsualYear } from '../days.ts'
import { columnOf, ignoredNames, perResource, settableFields } from './define.ts'
import { filterText } from './read/filter-input.ts'
import { relationSchema } from '../relations/relation-schema.ts'
import { isRelation } from '../relations/relations.ts'
import { newValueSchema, valueSchema } from './values.ts'

/** The path's id of one record. */
export const idSchema = identifierSchema
export const idInput = z.strictObject({ id: idSchema })

/** The id of a new record, where a client may choose it; what is none leaves the choice to the server (specification 5). */
export const suppliedId = z
  .unknown()
  .transform((given) => (typeof given === 'string' && isIdentifier(given) && !isNoIdentifier(given) ? given.toLowerCase() : undefined))
  .meta({ type: 'string', format: 'uuid' })
/** Any id would let a caller found a twin of somebody else's record. */
const noId = suppliedId.refine((value) => value === undefined, 'is given by the server').meta({ type: 'string', format: 'uuid' })
const ignored = z.unknown().meta({ readOnly: true }).optional()

/** Checked input of a write: wire names, values as the columns take them. */
export type RecordInput = Record<string, unknown>
interface WriteSchemas {
  create: z.ZodType<RecordInput>
  update: z.ZodType<RecordInput>
}

/**
 * Schemas of a resource's bodies, the same at every door: `create` takes an optional Id (identities take none), `update` any of the
 * fields, the id of the path and an optional version. Names that the resource knows but a body does not set (computed, linked,
 * given by the server) are taken and ignored, so that a record that was read may be sent back; other names are refused.
 */
export const writeSchemas = perResource((resource): WriteSchemas => {
  const ignoredKeys = new Set(ignoredNames(resource))
  const { version, ...others } = Object.fromEntries([...ignoredKeys].map((key) => [key, ignored]))
  const fields = (schemaOf: typeof createSchema) =>
    Object.fromEntries(settableFields(resource).map(([key, field]) => [key, schemaOf(resource, key, field)]))
  const given = (input: RecordInput): RecordInput =>
    Object.fromEntries(Object.entries(input).filter(([key, value]) => value !== undefined && (key === 'version' || !ignoredKeys.has(key))))
  return {
    create: z
      .strictObject({
        ...others,
        ...(version ? { version } : {}),
        Id: (resource.isIdentity ? noId : suppliedId).optional(),
        ...fields(createSchema),
      })
      .transform(({ version: _, ...input }: RecordInput) => given(input)),
    update: z
      .strictObject({ ...others, id: idSchema, Id: idSchema.optional(), version: z.int().min(0).optional(), ...fields(updateSchema) })
      .refine((input) => input.Id === undefined || input.Id === input.id, { path: ['Id'], error: 'differs from the id of the path' })
      .transform(given),
  }
})

function createSchema(resource: AnyResource, key: string, field: FieldDefinition): z.ZodType {
  const isNeeded = isRelation(field) ? field.required || (field.min ?? 0) > 0 : field.required
  const value = isRelation(field) ? relationSchema(resource, key, field) : newValueSchema(field, columnOf(resource, key))
  if (!isRelation(field) && field.defaultValue !== undefined) return value.default(field.defaultValue)
  return isNeeded ? value : value.optional()
}

function updateSchema(resource: AnyResource, key: string, field: FieldDefinition): z.ZodType {
  return (isRelation(field) ? relationSchema(resource, key, field) : valueSchema(field, columnOf(resource, key))).optional()
}

/** Checks a body that did not come through a route (sync, import); fails with INVALID naming the fields. */
export function checkInput(schema: z.ZodType<RecordInput>, input: unknown): RecordInput {
  const result = schema.safeParse(input)
  return result.success ? result.data : fail('INVALID', { fields: fieldErrors(result.error) })
}

/** Fails when a field that the record's other values make necessary (requiredIf) is empty. */
export function assertRequired(resource: AnyResource, record: RecordInput): void {
  const missing = missingFields(resource, record)
  if (missing.length > 0) fail('INVALID', { fields: missing.map((field) => ({ field, message: 'is required' })) })
}

/** Fields that the record's other values make necessary and that are empty. */
export function missingFields(resource: AnyResource, record: RecordInput): string[] {
  const isAsked = ({ requiredIf, visibleIf }: FieldDefinition) =>
    requiredIf !== undefined && holds(requiredIf, record) && (!visibleIf || holds(visibleIf, record))
  return settableFields(resource).flatMap(([key, field]) => (isAsked(field) && (record[key] ?? '') === '' ? [key] : []))
}

/* ---------- lists ---------- */

/** ASC or DESC in any case. */
export const sortOrder = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.enum(['ASC', 'DESC']))

/** Values with commas between them, each checked. */
const commaList = <Value>(one: z.ZodType<Value, string>) =>
  z
    .string()
    .max(400)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(one).max(maxSorts, `may hold ${maxSorts} names at most`))

const day = z
  .string()
  .max(40)
  .refine((value) => !Number.isNaN(Date.parse(value)) && /^\d{4}-\d\d-\d\d/.test(value) && isUsualYear(value), 'is not a date or time')

/** Query of a list call. Values come as text and are coerced; empty ones count as absent. */
export const listShape = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(1_000_000).optional(),
  sortField: commaList(z.string().min(1, 'holds an empty name').max(60))
    .refine((names) => new Set(names).size === names.length, 'names a field twice')
    .optional(),
  sortOrder: commaList(sortOrder).optional(),
  search: z
    .string()
    .max(200)
    .refine((value) => !value.includes('\0'), 'may not hold the NUL character')
    .optional(),
  startDate: day.optional(),
  endDate: day.optional(),
  dateType: z.string().max(60).optional(),
  filter: filterText.optional(),
}

const listObject = z.strictObject(listShape)
export type ListInput = z.infer<typeof listObject>

/** Schema of a list call with further parameters of its own. */
export function listSchema<Extra extends z.ZodRawShape>(extra: Extra): z.ZodType<ListInput & z.infer<z.ZodObject<Extra>>> {
  return z.strictObject({ ...listShape, ...extra }) as z.ZodType<ListInput & z.infer<z.ZodObject<Extra>>>
}

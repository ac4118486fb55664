import { z } from 'zod'
import { identifierSchema, readNumber } from '@outpost/contract/input'
import { isEmail, isIdentifier, isIdNumber, isNoIdentifier, isPersonName } from '@outpost/rules/validation'
import { fitsDecimals } from '@outpost/rules/currency'
import type { Column } from '@outpost/platform/db/models'
import type { FieldDefinition } from '../types.ts'
import { daySchema, timeSchema } from '../days.ts'

const longest = { text: 500, longText: 10_000, phone: 25, file: 1_000, image: 1_000, password: 128, tags: 60 } as const
const maxItems = 1_000
const hasNul = (value: string) => value.includes('\0')
/** A text that was cut within a character of two halves; JSON can carry it, Postgres cannot. */
const isWellFormed = (value: string) => value.isWellFormed()

/**
 * What a body may hold in a field: checked by kind and by the column behind it. Texts are trimmed; numbers and yes-or-no may come
 * as text, as forms send them. An empty text or the all-zero identifier becomes null, which a required field refuses.
 */
export function valueSchema(field: FieldDefinition, column: Column | undefined): z.ZodType {
  const value = kindSchema(field, column).nullable()
  const isGiven = (given: unknown) => given !== null && given !== ''
  if (field.required) return fromText(field, column, value.refine(isGiven, 'is required'))
  return fromText(field, column, mayBeNull(column) ? value : value.refine((given) => given !== null, 'may not be empty'))
}

/** The same for a record that is made: empty counts as not given, which leaves a default to the field or the table. */
export function newValueSchema(field: FieldDefinition, column: Column | undefined): z.ZodType {
  if (field.required && field.defaultValue === undefined) return valueSchema(field, column)
  const isKept = field.defaultValue === undefined && mayBeNull(column)
  return fromText(field, column, kindSchema(field, column).nullable()).transform((given) => given ?? (isKept ? null : field.defaultValue))
}

const mayBeNull = (column: Column | undefined) => column === undefined || !column.isRequired || column.isList

/** Reads text as the kind of value that the field holds; what is no such text stays, for the schema to refuse. */
function fromText({ kind, options }: FieldDefinition, column: Column | undefined, schema: z.ZodType): z.ZodType {
  if (kind === 'boolean') return z.preprocess(yesNoOf, schema)
  const isNumber =
    kind === 'number' || kind === 'money' || kind === 'percent' || (kind === 'choice' && options !== undefined && isNumeric(column))
  return isNumber ? z.preprocess(readNumber, schema) : schema
}

const yesNo: Readonly<Record<string, boolean | null>> = { true: true, 1: true, false: false, 0: false, '': null }
const yesNoOf = (given: unknown) => (typeof given === 'string' && Object.hasOwn(yesNo, given) ? yesNo[given] : given)

/** True for a choice whose column holds numbers. */
const isNumeric = (column: Column | undefined) => column !== undefined && column.type !== 'String'

function kindSchema(field: FieldDefinition, column: Column | undefined): z.ZodType {
  // A column of JSON holds a list of options where the kind is one, else anything.
  if (column?.type === 'Json' && !['multiChoice', 'tags', 'multiReference', 'permissionTree'].includes(field.kind)) return anyJson
  switch (field.kind) {
    case 'personName':
      return text(field, 60, isPersonName, 'may hold letters, spaces, hyphens and apostrophes only')
    case 'email':
      return text(field, 254, isEmail, 'is not an e-mail address').transform((value) => value?.toLowerCase() ?? null)
    case 'phone':
      return text(field, longest.phone, (value) => /^\+?[\d ()-]{6,25}$/.test(value), 'is not a phone number')
    case 'idNumber':
      return text(field, 20, isAnyIdNumber, 'is not an identity number')
    case 'colour':
      return text(field, 7, (value) => /^#[0-9a-f]{6}$/i.test(value), 'is not a colour such as #1f7a8c')
    case 'number':
    case 'money':
    case 'percent':
      return numeric(field, column)
    case 'boolean':
      return z.boolean()
    case 'date':
      return daySchema.transform((value) => (column?.type === 'DateTime' ? new Date(value) : value))
    case 'dateTime':
      return timeSchema.transform((value) => new Date(value))
    case 'choice':
      return choice(field, column)
    case 'multiChoice':
    case 'tags':
    case 'permissionTree':
      return several(field)
    case 'reference':
      return referenceSchema
    case 'multiReference':
      return column?.type === 'Json' ? several(field) : z.array(identifierSchema).max(maxItems)
    case 'json':
      return anyJson
    default:
      return text(field, longest[field.kind as keyof typeof longest] ?? longest.text)
  }
}

const isAnyIdNumber = (value: string) => isIdNumber(value) || ['KE', 'ZM', 'TZ'].some((country) => isIdNumber(value, country))

const referenceSchema = z
  .string()
  .refine((value) => value === '' || isIdentifier(value), 'is not an identifier')
  .transform((value) => (value === '' || isNoIdentifier(value) ? null : value.toLowerCase()))

function text(field: FieldDefinition, most: number, isGood?: (value: string) => boolean, wrong = 'is not valid') {
  const limit = Math.min(field.maxLength ?? field.max ?? most, Math.max(most, field.maxLength ?? 0))
  return z
    .string()
    .trim()
    .max(limit, `may hold ${limit} characters at most`)
    .refine((value) => !hasNul(value), 'may not hold the NUL character')
    .refine(isWellFormed, 'may not hold half a character')
    .refine((value) => value === '' || value.length >= (field.min ?? 0), `needs at least ${field.min} characters`)
    .refine((value) => value === '' || isGood === undefined || isGood(value), wrong)
    .transform((value) => (value === '' ? null : value))
}

const intLimits: ReadonlyMap<string, number> = new Map(Object.entries({ SmallInt: 32_767, Int: 2_147_483_647 }))

function numeric(field: FieldDefinition, column: Column | undefined) {
  const isWhole = column?.type === 'Int' || column?.type === 'BigInt'
  const limit = isWhole ? (intLimits.get(column.native) ?? Number.MAX_SAFE_INTEGER) : 999_999_999_999
  const least = field.min ?? (field.kind === 'percent' ? 0 : -limit)
  const most = field.max ?? (field.kind === 'percent' ? 100 : limit)
  const value = z.number().min(least, `may not be under ${least}`).max(most, `may not be over ${most}`)
  if (isWhole) return value.refine(Number.isInteger, 'must be a whole number')
  if (field.kind !== 'money') return value
  // Which currency it is, the pipeline knows: it refuses decimals that the currency does not have. No currency has more than four.
  return field.currency === undefined
    ? value.refine((amount) => fitsDecimals(amount, 2), 'may hold two decimals at most')
    : value.refine((amount) => fitsDecimals(amount, 4), 'may hold four decimals at most')
}

function choice(field: FieldDefinition, column: Column | undefined): z.ZodType {
  if (field.from) return referenceSchema
  if (!field.options) return text(field, 100)
  const values = new Set(field.options.map((option) => option.value))
  const known = `is not one of ${[...values].join(', ')}`
  if (isNumeric(column)) return z.int().refine((value) => values.has(String(value)), known)
  const word = z
    .string()
    .refine((value) => value === '' || values.has(value), known)
    .transform((value) => (value === '' ? null : value))
  // The console sends options that are whole numbers as numbers, whatever the column holds.
  return z.preprocess((given) => (typeof given === 'number' ? String(given) : given), word)
}

function several(field: FieldDefinition) {
  const values = field.options && new Set(field.options.map((option) => option.value))
  const item = z
    .string()
    .trim()
    .min(1)
    .max(field.maxLength ?? 200)
    .refine((value) => !hasNul(value), 'may not hold the NUL character')
    .refine(isWellFormed, 'may not hold half a character')
  return z.array(item.refine((value) => !values || values.has(value), 'is not one of the options')).max(maxItems)
}

const anyJson = z.json().refine((value) => JSON.stringify(value).length <= 200_000, 'is too large')

import { z } from 'zod'
import type { FieldDefinition, Route } from '../../../apps/server/src/kernel/types.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  minLength?: number
  minItems?: number
  default?: unknown
  additionalProperties?: Schema | boolean
  readOnly?: boolean
}

/** Making a schema costs more than the call that it is made for, and the same routes are called thousands of times. */
const schemas = new WeakMap<object, Schema>()

/** The JSON schema of a route's input, as the API document shows it. */
export function inputSchema({ operation: { input } }: Route): Schema {
  const schema = schemas.get(input) ?? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as Schema)
  schemas.set(input, schema)
  return schema
}

export interface Way {
  /** The id that a property means, by its name. */
  idOf: (name: string) => string
  /** Ids that nobody requires are named too: where a record can be named, an attacker names one. Default: required properties only. */
  namesAll?: boolean
}

/** A value that the schema takes: required properties, and ids. */
export function sample(schema: Schema, way: Way, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  if (choice) return sample(choice, way, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, way, name)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object':
      return sampleObject(schema, way)
    case 'array':
      return typeof schema.items === 'object' ? [sample(schema.items, way, name)] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1, 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return sampleText(schema, way, name)
  }
}

function sampleObject({ properties = {}, required = [] }: Schema, way: Way): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => required.includes(key) || (way.namesAll && isId(key)))
      .map(([key, part]) => [key, sample(part, way, key)]),
  )
}

/** A property that names a record. */
export const isId = (name: string) => /^(id|Id|ids|.*Ids?|.*UserId)$/.test(name) && name !== 'clientId' && name !== 'deviceId'

let count = 0

/** A value for each field that a form of the resource would insist on, by the field's kind. */
export function valuesOf(fields: Readonly<Record<string, FieldDefinition | undefined>>): Record<string, unknown> {
  const wanted = Object.entries(fields).flatMap(([key, field]) =>
    field && (field.required || (field.kind === 'lines' && field.min)) && !field.readOnly ? [[key, valueOf(key, field)] as const] : [],
  )
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined))
}

/** A change that every record can take: the first of its words is another one. */
export function renamed(fields: Readonly<Record<string, FieldDefinition | undefined>>): Record<string, unknown> {
  const wanted = Object.entries(fields).find(
    ([key, field]) => /^(name|title|firstName)$/.test(key) && field && !field.readOnly && !field.createOnly,
  )
  return wanted?.[1] ? { [wanted[0]]: valueOf(wanted[0], wanted[1]) } : {}
}

/** Undefined for kinds that name other records: those are the schema's. */
function valueOf(name: string, { kind, options, min, maxLength = 80, defaultValue, of }: FieldDefinition): unknown {
  if (defaultValue !== undefined) return defaultValue
  const n = (count += 1)
  switch (kind) {
    case 'choice':
      return options?.at(-1)?.value
    case 'boolean':
      return false
    case 'number':
    case 'money':
    case 'percent':
      return Math.max(min ?? 1, 1)
    case 'date':
      return new Date().toISOString().slice(0, 10)
    case 'dateTime':
      return new Date(Date.now() + n * 1_000).toISOString()
    case 'email':
      return `probe${n}@example.org`
    case 'phone':
      return `07${String(30_000_000 + n).slice(-8)}`
    case 'lines':
      return Array.from({ length: Math.max(min ?? 1, 1) }, () => valuesOf(of?.fields ?? {}))
    case 'colour':
      return 'blue'
    case 'personName':
      return 'Amina'
    case 'text':
    case 'longText':
      return (/name$/i.test(name) ? `Probe ${n}` : `probe ${n}`).slice(0, maxLength)
    default:
      return undefined
  }
}

function sampleText({ format, minLength = 1 }: Schema, { idOf }: Way, name: string): string {
  const n = (count += 1)
  if (format === 'uuid' || isId(name)) return idOf(name)
  if (format === 'date-time') return new Date().toISOString()
  if (format === 'date' || /date$/i.test(name)) return new Date().toISOString().slice(0, 10)
  if (format === 'email' || /mail/i.test(name)) return `probe${n}@example.org`
  if (/phone|mobile|number$/i.test(name)) return `07${String(30_000_000 + n).slice(-8)}`
  if (/name$/i.test(name)) return 'Probe'
  return `probe ${n}`.padEnd(minLength, 'x')
}

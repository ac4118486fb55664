import { z } from 'zod'
import type { Route } from '../../../apps/server/src/kernel/types.ts'

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
  const schema = schemas.get(input) ?? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as Schema
  schemas.set(input, schema)
  return schema
}

/** A value that the schema takes: required properties only, ids from `idOf` (by property name). */
export function sample(schema: Schema, idOf: (name: string) => string, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  if (choice) return sample(choice, idOf, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, idOf, name)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object': return sampleObject(schema, idOf)
    case 'array': return typeof schema.items === 'object' ? [sample(schema.items, idOf, name)] : []
    case 'integer': case 'number': return Math.max(schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1, 1)
    case 'boolean': return true
    case 'null': return null
    default: return sampleText(schema, idOf, name)
  }
}

function sampleObject({ properties = {}, required = [] }: Schema, idOf: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => required.includes(key) || isId(key)).map(([key, part]) => [key, sample(part, idOf, key)]))
}

/** A property that names a record. */
export const isId = (name: string) => /^(id|Id|ids|.*Ids?|.*UserId)$/.test(name) && name !== 'clientId' && name !== 'deviceId'

let count = 0
function sampleText({ format, minLength = 1 }: Schema, idOf: (name: string) => string, name: string): string {
  const n = (count += 1)
  if (format === 'uuid' || isId(name)) return idOf(name)
  if (format === 'date-time') return new Date().toISOString()
  if (format === 'date' || /date$/i.test(name)) return new Date().toISOString().slice(0, 10)
  if (format === 'email' || /mail/i.test(name)) return `probe${n}@example.org`
  if (/phone|mobile|number$/i.test(name)) return `07${String(30_000_000 + n).slice(-8)}`
  if (/name$/i.test(name)) return 'Probe'
  return `probe ${n}`.padEnd(minLength, 'x')
}

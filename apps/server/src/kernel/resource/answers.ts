import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import type { Column } from '@outpost/platform/db/models'
import type { AnyResource, FieldDefinition } from '../types.ts'
import { selectionOf } from './read/columns.ts'
import { columnOf, perResource } from './define.ts'

type Use = 'list' | 'detail'
type Shape = z.ZodObject<Record<string, z.ZodType>>
const shapes = {
  list: perResource((resource) => makeSchema(resource, 'list')),
  detail: perResource((resource) => makeSchema(resource, 'detail')),
}

/** What a record of the resource looks like on the wire: in a list, or by itself with its details. */
export const recordSchema = (resource: AnyResource, use: Use): Shape => shapes[use](resource)

/** Answers of the operations that every resource has, by the keys of their data. */
export const rowsAnswer = (resource: AnyResource, many: string) => () => z.strictObject({ [many]: z.array(recordSchema(resource, 'list')) })
export const recordAnswer = (resource: AnyResource) => () => z.strictObject({ [resource.one]: recordSchema(resource, 'detail') })
/** Several records of the resource after a change, in full. */
export const recordsAnswer = (resource: AnyResource) => () => z.strictObject({ [resource.many]: z.array(recordSchema(resource, 'detail')) })
export const removedAnswer = z.strictObject({ ids: z.array(identifierSchema) })
/** A call that only says in its message what it did. */
export const emptyAnswer = z.strictObject({})

function makeSchema(resource: AnyResource, use: Use): Shape {
  return z.strictObject(Object.fromEntries(selectionOf(resource, use).names.map((key) => [key, schemaOf(resource, key, use)])))
}

function schemaOf(resource: AnyResource, key: string, use: Use): z.ZodType {
  if (key === 'Id') return identifierSchema
  const field = Object.hasOwn(resource.fields, key) ? resource.fields[key] : undefined
  const column = columnOf(resource, key)
  if (!field) return column ? emptyToo(columnSchema(column), column) : z.string().nullable()
  if (use === 'list' && field.sensitive) return z.string().nullable()
  return column ? emptyToo(fieldSchema(field, column), column) : computedSchema(field).nullable()
}

const emptyToo = (schema: z.ZodType, { isRequired }: Column) => (isRequired ? schema : schema.nullable())

/** A field with a column: the column says what JSON it is, the kind what is in it. */
function fieldSchema(field: FieldDefinition, column: Column): z.ZodType {
  if (field.kind === 'date' && column.type === 'DateTime') return z.iso.date()
  return columnSchema(column)
}

function columnSchema({ type, native, isList }: Column): z.ZodType {
  const one = valueSchema(type, native)
  return isList ? z.array(one) : one
}

function valueSchema(type: Column['type'], native: string): z.ZodType {
  switch (type) {
    case 'Int':
    case 'BigInt':
    case 'Float':
    case 'Decimal':
      return z.number()
    case 'Boolean':
      return z.boolean()
    case 'DateTime':
      return z.iso.datetime()
    case 'String':
      return native === 'Uuid' ? identifierSchema : z.string()
    default:
      return z.unknown()
  }
}

/** A field that Postgres computes: its kind is all there is to go by. */
function computedSchema({ kind }: FieldDefinition): z.ZodType {
  switch (kind) {
    case 'number':
    case 'money':
    case 'percent':
      return z.number()
    case 'boolean':
      return z.boolean()
    case 'date':
      return z.iso.date()
    case 'dateTime':
      return z.iso.datetime()
    case 'reference':
      return identifierSchema
    case 'multiChoice':
    case 'tags':
    case 'multiReference':
      return z.array(z.unknown())
    case 'choice':
      return z.union([z.string(), z.number()])
    case 'text':
    case 'longText':
    case 'personName':
    case 'email':
    case 'phone':
    case 'idNumber':
    case 'colour':
    case 'file':
    case 'image':
      return z.string()
    default:
      return z.unknown()
  }
}

import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { commandType } from '../../commands/catalogue.ts'
import { baseFields, type Columns, type GeoResource, usualFilters } from '../crud/resource.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { attributes, id, name } from '../input.ts'

const settable = {
  tenantId: id,
  name,
  /** Traccar's command type (engineStop, custom ...). (`type` is the entity's type.) */
  commandType,
  parameters: attributes,
  attributes,
}
const { tenantId, parameters, attributes: more, ...needed } = settable

/** A saved command with its parameters. */
export const savedCommand: GeoResource = {
  one: 'command',
  many: 'commands',
  table: 'saved_command',
  fields: { ...baseFields, type: sql`'command'`, ...fieldsOf(['name', 'parameters', 'attributes']), commandType: sql`t."type"` },
  sorts: ['name', 'commandType', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  filters: usualFilters('commandType'),
  create: z.strictObject({
    type: z.literal('command').optional(),
    ...needed,
    tenantId: tenantId.optional(),
    parameters: parameters.optional(),
    attributes: more.optional(),
  }),
  update: z.strictObject({ id, type: z.literal('command').optional(), version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: ({ input: { tenantId: filed, name: called, commandType, parameters: given, attributes: other } }) => {
    const columns = {
      tenantId: filed,
      name: called,
      type: commandType,
      parameters: given && JSON.stringify(given),
      attributes: other && JSON.stringify(other),
    }
    return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Columns
  },
}

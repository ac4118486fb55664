import { z } from 'zod'
import { baseFields, type Columns, type GeoResource, usualFilters } from '../crud/resource.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { attributes, day, id, name } from '../input.ts'

const text = (longest: number) => z.string().trim().max(longest).nullable()
const settable = {
  tenantId: id,
  name,
  uniqueId: text(128),
  userId: id.nullable(),
  phone: text(40),
  licence: text(60),
  licenceExpires: day.nullable(),
  attributes,
}
const { name: called, ...rest } = settable

/** A driver, identified by an iButton, RFID tag or card (`uniqueId`), or by their phone (`userId`). */
export const driver: GeoResource = {
  one: 'driver',
  many: 'drivers',
  table: 'driver',
  fields: { ...baseFields, ...fieldsOf(['name', 'uniqueId', 'userId', 'phone', 'licence', 'licenceExpires', 'attributes']) },
  sorts: ['name', 'uniqueId', 'phone', 'licenceExpires', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  filters: { ...usualFilters('uniqueId', 'phone', 'licence'), userId: { kind: 'id' } },
  unique: { driver_unique: 'uniqueId' },
  create: z.strictObject({ type: z.literal('driver').optional(), name: called, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, type: z.literal('driver').optional(), version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: ({ input: { attributes: given, type: _, ...plain } }) => ({
    ...(plain as Columns),
    ...(given === undefined ? {} : { attributes: JSON.stringify(given) }),
  }),
}

import { createHash } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { tripRules } from '../../motion/traccar/trips.ts'
import { baseFields, type Columns, type GeoResource } from '../crud/resource.ts'
import { fieldsOf, timeText } from '../../sql/fields.ts'
import { attributes, id, name } from '../input.ts'
import { deviceStatus, placeOf } from '../positions/fields.ts'

const text = (longest: number) => z.string().trim().max(longest).nullable()

const settable = {
  tenantId: id,
  uniqueId: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(128)
    .regex(/^[\w.:@+-]+$/, 'may hold letters, digits and . : @ + - _'),
  name,
  // Traccar calls a transponder a beacon as well.
  type: z.enum(['Primary', 'Bluetooth Transponder', 'Beacon']).transform((kind) => (kind === 'Beacon' ? 'Bluetooth Transponder' : kind)),
  make: text(80),
  model: text(80),
  phone: text(40),
  contact: text(120),
  category: text(40),
  disabled: z.boolean(),
  userId: id.nullable(),
  /** The rule for its trips; null uses the company's rule. */
  tripRule: z.enum(tripRules).nullable(),
  /** Set by the caller and never returned: only its hash is stored. Null requires none. */
  token: z.string().min(16, 'needs at least 16 characters').max(200).nullable(),
  attributes,
}
const { uniqueId, name: called, ...rest } = settable

/** A tracker or phone. `position` is the newest position it sent. */
export const device: GeoResource = {
  one: 'geoDevice',
  many: 'geoDevices',
  table: 'device',
  joins: sql`left join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id"`,
  fields: {
    ...baseFields,
    ...fieldsOf([
      'uniqueId',
      'name',
      'type',
      'protocol',
      'make',
      'model',
      'phone',
      'contact',
      'category',
      'disabled',
      'userId',
      'tripRule',
      'attributes',
    ]),
    status: deviceStatus,
    hasToken: sql`t."tokenHash" is not null`,
    lastUpdate: timeText(sql`l."serverTime"`),
    positionId: sql`case when l."fixTime" is null then null else t."id"::text || '_' || (extract(epoch from l."fixTime") * 1000)::bigint end`,
    position: sql`case when l."latitude" is null then null else ${placeOf} end`,
  },
  ignores: ['commands', 'health', 'odometer', 'engineHours', 'assets'],
  sorts: [
    'name',
    'uniqueId',
    'type',
    'status',
    'make',
    'model',
    'category',
    'protocol',
    'disabled',
    'lastUpdate',
    'dateCreated',
    'dateModified',
  ],
  sort: ['name', 'ASC'],
  filters: {
    ...Object.fromEntries(
      ['uniqueId', 'name', 'type', 'protocol', 'make', 'model', 'phone', 'category', 'status'].map((key) => [
        key,
        { kind: 'text' as const },
      ]),
    ),
    disabled: { kind: 'boolean' },
    userId: { kind: 'id' },
    tenantId: { kind: 'tenant' },
    lastUpdate: {
      kind: 'time',
      value: sql`(select n."serverTime" from geo.latest n where n."companyId" = t."companyId" and n."deviceId" = t."id")`,
    },
    dateCreated: { kind: 'time', value: sql`t."dateCreated"` },
  },
  unique: { device_unique: 'uniqueId' },
  create: z.strictObject({ uniqueId, name: called, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: ({ input: { token, attributes: given, ...plain } }) => ({
    ...(plain as Columns),
    ...(given === undefined ? {} : { attributes: JSON.stringify(given) }),
    ...(token === undefined ? {} : { tokenHash: hashed(token as string | null) }),
  }),
}

const hashed = (token: string | null) => (token === null ? null : createHash('sha256').update(token).digest())

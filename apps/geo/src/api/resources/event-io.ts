import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { baseFields, fieldsOf, type Columns, type GeoResource } from '../crud/resource.ts'
import { attributes, id, name } from '../input.ts'

const condition = z.strictObject({
  /** An attribute of the event, or speed, geofenceId, deviceId, geofenceTag. */
  field: z.string().min(1).max(80),
  op: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists']),
  value: z.union([z.string().max(500), z.number(), z.boolean(), z.array(z.union([z.string().max(500), z.number()])).max(500)]).optional(),
})

const minute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time (HH:MM)')
/** Days of the week (1 Monday) and hours in the company's zone in which the rule holds; `from` after `to` runs over midnight. */
export const calendar = z.strictObject({ days: z.array(z.int().min(1).max(7)).max(7).optional(), from: minute.optional(), to: minute.optional() })

const settable = {
  name,
  /** Type of event (geofenceEnter, alarm, ignitionOn ...); `type` says what kind of entity this is. */
  eventType: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,40}$/, 'is not a type of event'),
  conditions: z.array(condition).max(20),
  severity: z.enum(['info', 'warning', 'critical']),
  cooldownSeconds: z.int().min(0).max(86_400),
  calendar: calendar.nullable(),
  isActive: z.boolean(),
  attributes,
}
const { name: called, eventType, ...rest } = settable

/** A rule: which events count, when and where. */
export const eventIo: GeoResource = {
  one: 'eventIo',
  many: 'eventIos',
  table: 'event_io',
  fields: {
    ...baseFields, type: sql`'event'`, ...fieldsOf(['name', 'conditions', 'severity', 'cooldownSeconds', 'calendar', 'isActive', 'attributes']),
    eventType: sql`t."type"`,
    actions: sql`(select count(*)::int from geo.event_action a where a."companyId" = t."companyId" and a."eventIoId" = t."id" and a."deletedAt" is null)`,
  },
  sorts: ['name', 'eventType', 'severity', 'isActive', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  create: z.strictObject({ type: z.literal('event').optional(), name: called, eventType, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, type: z.literal('event').optional(), version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: ({ input: { type: _, eventType: kind, ...plain } }) => withJson({ ...plain, ...(kind === undefined ? {} : { type: kind }) }),
}

/** Objects and lists as JSON text: pg would take a list for an array of Postgres. */
export function withJson(columns: Record<string, unknown>): Columns {
  return Object.fromEntries(Object.entries(columns).map(([key, value]) => [key, typeof value === 'object' && value !== null ? JSON.stringify(value) : value])) as Columns
}

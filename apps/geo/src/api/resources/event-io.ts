import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { ruleInput } from '../../rules/rule.ts'
import { baseFields, fieldsOf, type Columns, type GeoResource } from '../crud/resource.ts'
import { attributes, id, name } from '../input.ts'

/** The parts that matching reads are checked as matching understands them; what is left out takes the table's default. */
const rule = ruleInput.shape

const settable = {
  tenantId: id,
  name,
  /** Type of event (geofenceEnter, alarm, ignitionOn ...); `type` says what kind of entity this is. */
  eventType: rule.type,
  conditions: rule.conditions.unwrap(),
  severity: rule.severity.unwrap(),
  cooldownSeconds: rule.cooldownSeconds.unwrap(),
  calendar: rule.calendar.unwrap(),
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

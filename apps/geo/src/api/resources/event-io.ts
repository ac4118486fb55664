import { fail } from '@outpost/contract/errors'
import { isScheduled, scheduledTypes } from '@outpost/contract/geo/rule-words'
import type { RuleCondition, RuleSchedule } from '@outpost/contract/geo/rules'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { ruleInput } from '../../rules/rule.ts'
import { baseFields, type Columns, type GeoResource, usualFilters, type Write } from '../crud/resource.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { attributes, id, name } from '../input.ts'

/** The fields that matching reads, validated by the schema of matching. Missing fields take the table's default. */
const rule = ruleInput.shape

const settable = {
  tenantId: id,
  name,
  /** Event type (geofenceEnter, alarm, ignitionOn ...). (`type` is the entity's type.) */
  eventType: rule.type,
  conditions: rule.conditions.unwrap(),
  severity: rule.severity.unwrap(),
  cooldownSeconds: rule.cooldownSeconds.unwrap(),
  calendar: rule.calendar.unwrap(),
  /** When geofenceNotInside and geofenceNotOutside are checked. */
  schedule: rule.schedule.unwrap(),
  isActive: z.boolean(),
  attributes,
}
const { name: called, eventType, ...rest } = settable

/** A rule: which events match, when and where. */
export const eventIo: GeoResource = {
  one: 'eventIo',
  many: 'eventIos',
  table: 'event_io',
  fields: {
    ...baseFields,
    type: sql`'event'`,
    ...fieldsOf(['name', 'conditions', 'severity', 'cooldownSeconds', 'calendar', 'schedule', 'isActive', 'attributes']),
    eventType: sql`t."type"`,
    actions: sql`(select count(*)::int from geo.event_action a where a."companyId" = t."companyId" and a."eventIoId" = t."id" and a."deletedAt" is null)`,
  },
  sorts: ['name', 'eventType', 'severity', 'isActive', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  filters: { ...usualFilters('eventType', 'severity'), isActive: { kind: 'boolean' } },
  create: z.strictObject({ type: z.literal('event').optional(), name: called, eventType, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, type: z.literal('event').optional(), version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: (work) => {
    const { type: _, eventType: kind, ...plain } = work.input
    assertWholeSchedule(work)
    return withJson({ ...plain, ...(kind === undefined ? {} : { type: kind }) })
  },
}

/** A schedule is required for scheduled types and only allowed there, together with the fences. */
function assertWholeSchedule({ input, before }: Write): void {
  const {
    eventType: kind,
    schedule,
    conditions,
  } = { ...before, ...input } as { eventType: string; schedule?: RuleSchedule | null; conditions?: RuleCondition[] }
  const refuse = (field: string, message: string) => fail('INVALID', { fields: [{ field, message }] })
  if (!isScheduled(kind)) return schedule ? refuse('schedule', `is for ${scheduledTypes.join(' and ')} only`) : undefined
  if (!schedule) refuse('schedule', 'is required: {days, at}')
  if (!conditions?.some((one) => one.kind === 'fence' && one.where === 'of'))
    refuse('conditions', 'need the fences that are meant: {kind: "fence", ids, where: "of"}')
}

/** Serialises objects and lists as JSON text: pg would turn a list into a Postgres array. */
export function withJson(columns: Record<string, unknown>): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([key, value]) => [key, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]),
  ) as Columns
}

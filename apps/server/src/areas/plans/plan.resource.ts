import { failField } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { personFilter } from '../../kernel/relations/person-filter.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { nameText } from '../../kernel/names.ts'
import { planOpenFor } from './plan.open-for.ts'

const name = nameText('u')
const agents = `from activity_plan_agent a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" where a."companyId" = t."companyId" and a."planId" = t."id"`
const stops = `from activity_plan_activity s join activity v on v."companyId" = s."companyId" and v."id" = s."activityId" and v."deletedAt" is null where s."companyId" = t."companyId" and s."planId" = t."id"`
const meaning = `select m."meaning" from activity_assignment g join activity_status m on m."companyId" = g."companyId" and m."id" = g."statusId"
  where g."companyId" = s."companyId" and g."activityId" = s."activityId" and g."userId" = s."userId"`

export const planStatuses = [
  { value: 'PENDING', label: 'Pending', meaning: 'open', colour: 'gold' },
  { value: 'IN PROGRESS', label: 'In progress', meaning: 'started', colour: 'blue' },
  { value: 'COMPLETED', label: 'Completed', meaning: 'done', colour: 'green' },
  { value: 'CANCELLED', label: 'Cancelled', meaning: 'cancelled', colour: 'default' },
] as const

/** A route plan: a window of days, agents, and their stops in order (table activity_plan_activity, written by plan.stops). */
export const activityPlan = defineResource({
  model: 'activityPlan',
  one: 'activityPlan',
  many: 'activityPlans',
  label: 'Route plan',
  labelMany: 'Route plans',
  title: 'name',
  writtenBy: ['tenantId'],
  isSoftDeleted: true,
  ignores: ['itemId', 'itemType'],
  isSynced: true,
  offline: 'read-write',
  offlineWindow: { since: 'endDate', days: 90 },
  // A manager above files it, and its agents see it in their own teams.
  seenFrom: (ids) => sql`
    select a."planId", m."tenantId" from activity_plan_agent a join user_tenant m on m."companyId" = a."companyId" and m."userId" = a."userId"
    where a."planId" = any(${ids})`,
  // Its agents are shown by name.
  names: {
    app_user: (id) =>
      sql`t."id" in (select x."planId" from activity_plan_agent x where x."companyId" = t."companyId" and x."userId" = ${id}::uuid)`,
  },
  workflow: {
    field: 'status',
    route: 'plans.move',
    many: 'plans.moveMany',
    choose: 'Change status',
    states: Object.fromEntries(planStatuses.map(({ value, meaning, colour }) => [value, { meaning, colour }])),
    moves: planStatuses.map(({ value, label }) => ({ name: value, label, from: '*', to: value })),
  },
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    status: {
      kind: 'choice',
      label: 'Status',
      options: planStatuses.map(({ meaning: _, ...option }) => option),
      readOnly: true,
      given: 'PENDING',
    },
    startDate: { kind: 'date', label: 'First day', required: true },
    endDate: { kind: 'date', label: 'Last day', required: true },
    agentNames: { kind: 'text', label: 'Agents', readOnly: true, sql: `select string_agg(${name}, ', ' order by ${name}) ${agents}` },
    agents: {
      kind: 'json',
      label: 'Agents (records)',
      readOnly: true,
      sql: `select coalesce(json_agg(json_build_object('Id', u."id", 'firstName', u."firstName", 'lastName', u."lastName", 'label', ${name}) order by ${name}), '[]') ${agents}`,
    },
    openFor: personFilter('Open for', planOpenFor),
    stops: { kind: 'number', label: 'Stops', readOnly: true, sql: `select count(*) ${stops}` },
    done: { kind: 'number', label: 'Done', readOnly: true, sql: `select count(*) ${stops} and (${meaning}) = 'done'` },
    km: {
      kind: 'number',
      label: 'Way (km)',
      readOnly: true,
      sql: `select coalesce(round(sum(s."metres") / 1000.0, 1), 0)::float8 ${stops}`,
    },
    activityIds: {
      kind: 'json',
      label: 'Activities (ids)',
      readOnly: true,
      sql: `select coalesce(json_agg(s."activityId" order by s."day", s."userId", s."position"), '[]') ${stops}`,
    },
    // What a device needs to show the way of each day beside the activities it holds.
    route: {
      kind: 'json',
      label: 'Stops (records)',
      readOnly: true,
      detailOnly: true,
      sql: `select coalesce(json_agg(json_build_object('stopId', s."id", 'activityId', s."activityId", 'userId', s."userId", 'agentName', ${name}, 'day', s."day", 'position', s."position", 'lock', s."lock", 'keepsTime', s."keepsTime",
        'plannedArrival', s."plannedArrival", 'plannedDeparture', s."plannedDeparture", 'metres', s."metres") order by s."day", ${name}, s."userId", s."position"), '[]')
        ${stops.replace(' where ', ' join app_user u on u."companyId" = s."companyId" and u."id" = s."userId" where ')}`,
    },
    notes: { kind: 'longText', label: 'Notes', maxLength: 2_000 },
    startLocation: { kind: 'text', label: 'Days begin at', maxLength: 200 },
    startLat: { kind: 'number', label: 'Start latitude', min: -90, max: 90 },
    startLng: { kind: 'number', label: 'Start longitude', min: -180, max: 180 },
    returnsToStart: { kind: 'boolean', label: 'Back to the start', defaultValue: false },
    speed: { kind: 'number', label: 'Speed (km/h)', min: 3, max: 130, defaultValue: 30 },
    roadFactor: { kind: 'number', label: 'Way per straight metre', min: 1, max: 3, defaultValue: 1.3 },
    dayStart: { kind: 'number', label: 'Day begins (minute)', min: 0, max: 1_439, defaultValue: 480 },
    dayEnd: { kind: 'number', label: 'Day ends (minute)', min: 1, max: 1_440, defaultValue: 1_020 },
    longestDay: { kind: 'number', label: 'Longest day (hours)', min: 1, max: 24, defaultValue: 9 },
    createdUserId: { kind: 'text', label: 'Created by (id)', readOnly: true, given: { of: 'userId' } },
    createdBy: { kind: 'text', label: 'Created by', readOnly: true, given: { of: 'userName' } },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created on', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed on', readOnly: true },
  },
  list: {
    columns: ['name', 'startDate', 'endDate', 'status', 'agentNames', 'stops', 'done', 'km', 'createdBy'],
    search: ['name', 'notes'],
    sort: ['startDate', 'DESC'],
    size: 10_000,
    filters: ['status', 'openFor', 'tenantId', 'startDate', 'endDate'],
    dates: { planned: { label: 'Planned for', field: 'startDate', until: 'endDate', window: { kind: 'around', back: 0, ahead: 30 } } },
    empty: { title: 'No route is planned in these days', body: 'Widen the dates, or plan the first route.' },
  },
  actions: (['row', 'bulk'] as const).map((scope) => ({
    route: 'plans.remove',
    label: 'Delete',
    scope,
    idField: 'activityPlans',
    many: true,
    danger: true,
    undo: 'plans.restore',
    confirm: { title: 'Delete the plan?', body: 'Activities that stay are unplanned again.' },
    form: { deleteActivities: { kind: 'boolean' as const, label: 'Delete its activities too' } },
  })),
  visible: seenByReachOrAgent,
  prepare: preparePlan,
})

/** Plans of the caller's tenants, and those in which the caller is an agent, whoever filed them. */
function seenByReachOrAgent(ctx: Ctx) {
  if (ctx.scope === '*') return null
  return sql`(t."tenantId" = any(${ctx.scope}::uuid[]) or exists (select 1 from activity_plan_agent a where a."companyId" = t."companyId" and a."planId" = t."id" and a."userId" = ${ctx.user.id}))`
}

const longestWindow = 62 * 86_400_000

function preparePlan(ctx: Ctx, { kind, input, before, isSync }: PrepareWrite<ModelRow<'activityPlan'>>): Partial<ModelRow<'activityPlan'>> {
  if (kind === 'remove') return {}
  const [start, end] = [input.startDate ?? before?.startDate, input.endDate ?? before?.endDate]
  if (start && end && end < start) failField('endDate', 'lies before the first day')
  if (start && end && end.getTime() - start.getTime() >= longestWindow) failField('endDate', 'lies more than 62 days after the first day')
  if ((input.dayEnd ?? before?.dayEnd ?? 1_020) <= (input.dayStart ?? before?.dayStart ?? 480))
    failField('dayEnd', 'lies before the beginning of the day')
  // A device says under which tenant it was made.
  return kind === 'create' && !isSync ? { tenantId: ctx.tenant.id } : {}
}

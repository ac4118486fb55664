import { sql } from '@outpost/platform/db/sql'
import { commonRecurrences } from '@outpost/rules/activities/recurrence'
import { commentAction } from '../../kernel/keeps/comments.ts'
import { storedFiles } from '../../kernel/keeps/file-pairs.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { personFilter } from '../../kernel/relations/person-filter.ts'
import { leftStateFilter } from '../../kernel/workflow/left-state.ts'
import { batched } from '../../kernel/resource/read/batched.ts'
import { meaningOptions } from './options/activity.meanings.ts'
import { activityOpenFor } from './activity.open-for.ts'
import { prepareActivity } from './activity.rules.ts'
import { activityWorkflow } from './activity.workflow.ts'
import { newAssignments } from './agents/activity.agents.ts'
import { activityNotFound } from './activity.errors.ts'
import { activityStatus, activityType } from './options/option.resource.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const people = (alias: string) => `concat_ws(' ', ${alias}."firstName", ${alias}."lastName")`
const branches = `tenant o join tenant b on b."companyId" = o."companyId" and b."id" = any(o."path") and b."type" = 3 where o."companyId" = t."companyId" and o."id" = t."tenantId"`
const plans = {
  from: `activity_plan_activity x join activity_plan p on p."companyId" = x."companyId" and p."id" = x."planId" and p."deletedAt" is null`,
  alias: 'x',
  key: 'activityId',
}
const crew = {
  from: `activity_assignment a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"`,
  alias: 'a',
  key: 'activityId',
}
/** The other side of a table of pairs, as {Id, firstName, lastName, phonenumber, label}. */
const partners = (table: 'lead' | 'client') =>
  batched(
    {
      from: `activity_${table} x join ${table} p on p."companyId" = x."companyId" and p."id" = x."${table}Id"`,
      alias: 'x',
      key: 'activityId',
    },
    `json_agg(json_build_object('Id', p."id", 'firstName', p."firstName", 'lastName', p."lastName", 'phonenumber', p."phonenumber", 'label', ${people('p')}))`,
    `'[]'`,
  )
const clients = partners('client')

const scopeOptions = [
  { value: 'this', label: 'Only this one' },
  { value: 'following', label: 'This and the following ones' },
  { value: 'all', label: 'All that are still to be done' },
]

/** Photos and papers of a visit: stored files, which the device sends under Ids of its own. */
const photos = { table: 'activity_file', own: 'activityId', holdsFiles: true }

/** A scheduled piece of work. Its status is one that the company defines; what it means is fixed. */
export const activity = defineResource({
  model: 'activity',
  one: 'activity',
  many: 'activities',
  label: 'Activity',
  labelMany: 'Activities',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  notFound: activityNotFound,
  hasSearchIndex: true,
  isSynced: true,
  offline: 'read-write',
  offlineWindow: { since: 'endDate', days: 90 },
  keeps: ['comments', 'files'],
  workflow: activityWorkflow,
  belongings: [{ table: 'activity_entity', own: 'activityId' }, photos, { table: 'activity_gift', own: 'activityId' }],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    description: { kind: 'longText', label: 'Description', maxLength: 4_000 },
    activityTypeId: { kind: 'choice', label: 'Type', from: activityType, isPreset: true },
    statusId: { kind: 'choice', label: 'Status', from: activityStatus, readOnly: true, askedIn: 'edit', isBeside: true },
    status: {
      kind: 'text',
      label: 'Status name',
      readOnly: true,
      isTechnical: true,
      given: 'PENDING',
      // What a device has just made has no status of the company yet.
      visibleIf: { eq: ['statusId', null] },
    },
    statusText: { kind: 'text', label: 'Status text', readOnly: true, detailOnly: true, sql: `t."status"` },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, visibleIf: { not: { eq: ['statusReason', null] } } },
    meaning: {
      kind: 'choice',
      label: 'State',
      readOnly: true,
      given: 'open',
      options: meaningOptions,
      sql: `select s."meaning" from activity_status s where s."companyId" = t."companyId" and s."id" = t."statusId"`,
    },
    // As isLate of rules/activity-status says it.
    late: {
      kind: 'choice',
      label: 'Late',
      readOnly: true,
      options: [{ value: 'LATE', label: 'Late', colour: 'red' }],
      sql: `case when t."endDate" < now() and coalesce((select s."meaning" from activity_status s where s."companyId" = t."companyId" and s."id" = t."statusId"), 'open') in ('open', 'started') then 'LATE' end`,
    },
    typeDesc: {
      kind: 'text',
      label: 'Type name',
      readOnly: true,
      isTechnical: true,
      sql: `select y."name" from activity_type y where y."companyId" = t."companyId" and y."id" = t."activityTypeId"`,
    },
    leftStatus: leftStateFilter({ one: 'activity', field: 'statusId', label: 'Left the status' }),
    openFor: personFilter('Open for', activityOpenFor),
    geofenceRadius: {
      kind: 'number',
      label: 'Circle (metres)',
      readOnly: true,
      detailOnly: true,
      sql: `select y."geofenceRadius" from activity_type y where y."companyId" = t."companyId" and y."id" = t."activityTypeId"`,
    },
    location: { kind: 'text', label: 'Place', maxLength: 200, given: { of: 'place' } },
    lat: { kind: 'number', label: 'Latitude', min: -90, max: 90, given: { of: 'lat' } },
    lng: { kind: 'number', label: 'Longitude', min: -180, max: 180, given: { of: 'lng' } },
    startDate: { kind: 'dateTime', label: 'Start', required: true, begins: 1 },
    endDate: { kind: 'dateTime', label: 'End', required: true, begins: 2 },
    assignedUsers: {
      kind: 'multiReference',
      label: 'Agents',
      to: 'user',
      given: { of: 'userId' },
      help: 'Nobody chosen: it is yours',
      editHelp: 'Nobody chosen: it belongs to whoever made it',
      max: 200,
      isCompanyWide: true,
      through: { pairs: 'activityAssignment', begins: newAssignments },
      ...batched(
        crew,
        `json_agg(json_build_object('Id', u."id", 'firstName', u."firstName", 'lastName', u."lastName", 'label', ${people('u')}, 'activityAssignmentId', a."id",
        'statusId', a."statusId", 'statusText', a."statusText", 'distance', a."distance", 'isOutOfRange', a."isOutOfRange") order by a."dateCreated", u."id")`,
        `'[]'`,
      ),
    },
    agentName: {
      kind: 'text',
      label: 'Agents (names)',
      readOnly: true,
      isTechnical: true,
      ...batched(crew, `string_agg(${people('u')}, ', ' order by a."dateCreated", u."id")`),
    },
    leads: {
      kind: 'multiReference',
      label: 'Leads',
      to: 'lead',
      max: 200,
      through: 'activityLead',
      ...partners('lead'),
    },
    clients: {
      kind: 'multiReference',
      label: 'Clients',
      to: 'client',
      max: 200,
      through: 'activityClient',
      ...clients,
    },
    client: { kind: 'json', label: 'Clients (list)', readOnly: true, detailOnly: true, ...clients },
    entities: {
      kind: 'json',
      label: 'Other records',
      readOnly: true,
      detailOnly: true,
      ...batched(
        { from: 'activity_entity x', alias: 'x', key: 'activityId' },
        `json_agg(json_build_object('entityType', x."entityType", 'entityId', x."entityId") order by x."entityType", x."entityId")`,
        `'[]'`,
      ),
    },
    files: storedFiles(photos),
    branch: {
      kind: 'text',
      label: 'Branch (name)',
      readOnly: true,
      detailOnly: true,
      sql: `select b."name" from ${branches} order by cardinality(b."path") desc limit 1`,
    },
    region: {
      kind: 'text',
      label: 'Region',
      readOnly: true,
      detailOnly: true,
      sql: `select b."name" from ${branches} order by cardinality(b."path") limit 1`,
    },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    activityAssignmentId: {
      kind: 'text',
      label: 'Own assignment',
      readOnly: true,
      detailOnly: true,
      ...batched(crew, `(array_agg(a."id") filter (where a."userId" = ctx.actor()))[1]`),
    },
    activityPlans: {
      kind: 'json',
      label: 'Route plans (list)',
      readOnly: true,
      detailOnly: true,
      ...batched(plans, `json_agg(distinct jsonb_build_object('Id', p."id", 'name', p."name"))`, `'[]'`),
    },
    activityPlanNames: {
      kind: 'text',
      label: 'Route plans',
      visibleIf: { not: { eq: ['activityPlanNames', null] } },
      readOnly: true,
      detailOnly: true,
      ...batched(plans, `string_agg(distinct p."name", ', ')`),
    },
    parentId: { kind: 'text', label: 'Part of (id)', readOnly: true, detailOnly: true },
    seriesId: { kind: 'text', label: 'Series (id)', readOnly: true, isTechnical: true },
    recurrence: {
      kind: 'choice',
      label: 'Repeats',
      help: 'Empty: it happens once',
      readOnly: true,
      isBeside: true,
      options: [...commonRecurrences],
      sql: `select s."recurrence" from activity_series s where s."companyId" = t."companyId" and s."id" = t."seriesId"`,
    },
    scope: {
      kind: 'choice',
      label: 'Change',
      readOnly: true,
      askedIn: 'edit',
      isBeside: true,
      detailOnly: true,
      defaultValue: 'this',
      options: scopeOptions,
      visibleIf: { not: { eq: ['seriesId', null] } },
      sql: `case when t."seriesId" is null then null else 'this' end`,
    },
    createdUserId: { kind: 'text', label: 'Created by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    createdBy: { kind: 'text', label: 'Created by', readOnly: true, given: { of: 'userName' } },
    userName: {
      kind: 'text',
      label: 'Created by (user name)',
      readOnly: true,
      detailOnly: true,
      sql: `select u."userName" from app_user u where u."companyId" = t."companyId" and u."id" = t."createdUserId"`,
    },
    activityDateCreated: { kind: 'dateTime', label: 'Created', readOnly: true, detailOnly: true, sql: `t."dateCreated"` },
    dateCreated: { kind: 'dateTime', label: 'Created on', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed on', readOnly: true },
  },
  list: {
    columns: ['name', 'startDate', 'statusId', 'activityTypeId', 'assignedUsers', 'leads', 'location', 'endDate', 'tenantId'],
    search: ['name', 'description', 'location'],
    sort: ['startDate', 'DESC'],
    size: 10_000,
    filters: [
      'statusId',
      'leftStatus',
      'openFor',
      'meaning',
      'late',
      'activityTypeId',
      'assignedUsers',
      'leads',
      'clients',
      'tenantId',
      'startDate',
      'status',
    ],
    dates: {
      start: { label: 'Start', field: 'startDate', window: { kind: 'around', back: 1, ahead: 7 } },
      created: { label: 'Created', field: 'dateCreated', window: { kind: 'week' } },
    },
    empty: { title: 'Nothing is planned in these days', body: 'Widen the dates, or plan the first activity.' },
  },
  form: [
    ['name'],
    ['activityTypeId', 'recurrence'],
    ['statusId', 'scope'],
    ['startDate', 'endDate'],
    ['assignedUsers', 'leads'],
    ['clients'],
    ['location'],
    ['lat', 'lng'],
    ['description'],
  ],
  actions: [
    commentAction('activities.comment'),
    {
      route: 'activities.assignMany',
      label: 'Assign',
      scope: 'bulk',
      assign: { candidates: 'activities.assignees', undo: 'activities.undoAssignments', load: 'open activities' },
    },
    {
      route: 'activities.bulk',
      key: 'move',
      label: 'Move',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      form: {
        days: { kind: 'number', label: 'Days', required: true, min: -366, max: 366, help: 'Later by so many days; with a minus earlier' },
      },
    },
    bulkDeleteAction('activities.remove', { title: 'Delete the chosen activities?' }, 'activities.restore'),
    {
      route: 'activities.remove',
      key: 'removeSeries',
      label: 'Delete with its series',
      scope: 'row',
      idField: 'id',
      danger: true,
      visibleIf: { not: { eq: ['seriesId', null] } },
      form: { scope: { kind: 'choice', label: 'Delete', required: true, defaultValue: 'following', options: scopeOptions.slice(1) } },
    },
  ],
  names: {
    activity_plan: (id) =>
      sql`t."id" in (select x."activityId" from activity_plan_activity x where x."companyId" = t."companyId" and x."planId" = ${id}::uuid)`,
    app_user: (id) => sql`t."createdUserId" = ${id}::uuid`,
  },
  prepare: prepareActivity,
})

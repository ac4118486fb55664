import { defineResource } from '../../kernel/resource/define.ts'
import { prepareActivity } from './activity.rules.ts'

const people = (alias: string) => `concat_ws(' ', ${alias}."firstName", ${alias}."lastName")`

/** A scheduled piece of work. Its status is the name of a status the company defines. */
export const activity = defineResource({
  model: 'activity', one: 'activity', many: 'activities', label: 'Activity', labelMany: 'Activities', title: 'name',
  isScoped: true, isSoftDeleted: true, isSynced: true, offline: 'read',
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    description: { kind: 'longText', label: 'Description', maxLength: 4_000 },
    activityTypeId: { kind: 'reference', label: 'Type', to: 'activityType' },
    statusId: { kind: 'reference', label: 'Status', to: 'activityStatus' },
    status: { kind: 'text', label: 'Status name', readOnly: true },
    statusText: { kind: 'text', label: 'Status text', readOnly: true, sql: `t."status"` },
    typeDesc: {
      kind: 'text', label: 'Type name', readOnly: true,
      sql: `select y."name" from activity_type y where y."companyId" = t."companyId" and y."id" = t."activityTypeId"`,
    },
    location: { kind: 'text', label: 'Place', maxLength: 200 },
    lat: { kind: 'number', label: 'Latitude', min: -90, max: 90 },
    lng: { kind: 'number', label: 'Longitude', min: -180, max: 180 },
    startDate: { kind: 'dateTime', label: 'Start', required: true },
    endDate: { kind: 'dateTime', label: 'End', required: true },
    createdUserId: { kind: 'text', label: 'Created by (id)', readOnly: true },
    createdBy: { kind: 'text', label: 'Created by', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    assignedUsers: {
      kind: 'json', label: 'Agents', readOnly: true,
      sql: `select coalesce(json_agg(json_build_object('Id', u."id", 'firstName', u."firstName", 'lastName', u."lastName", 'label', ${people('u')}, 'statusId', a."statusId", 'statusText', a."statusText")), '[]')
        from activity_assignment a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" where a."companyId" = t."companyId" and a."activityId" = t."id"`,
    },
    agentName: {
      kind: 'text', label: 'Agents (names)', readOnly: true,
      sql: `select string_agg(${people('u')}, ', ') from activity_assignment a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" where a."companyId" = t."companyId" and a."activityId" = t."id"`,
    },
    leads: {
      kind: 'json', label: 'Leads', readOnly: true,
      sql: `select coalesce(json_agg(json_build_object('Id', l."id", 'firstName', l."firstName", 'lastName', l."lastName", 'phonenumber', l."phonenumber")), '[]')
        from activity_lead x join lead l on l."companyId" = x."companyId" and l."id" = x."leadId" where x."companyId" = t."companyId" and x."activityId" = t."id"`,
    },
    activityDateCreated: { kind: 'dateTime', label: 'Created', readOnly: true, sql: `t."dateCreated"` },
    dateCreated: { kind: 'dateTime', label: 'Created on', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed on', readOnly: true },
  },
  list: {
    columns: ['name', 'typeDesc', 'status', 'agentName', 'location', 'startDate', 'endDate'],
    search: ['name', 'description', 'location'],
    sort: ['startDate', 'DESC'], size: 10_000,
    filters: ['status', 'activityTypeId', 'tenantId', 'startDate'],
    dates: { start: { label: 'Start', field: 'startDate', window: { kind: 'around', back: 1, ahead: 7 } } },
    empty: { title: 'Nothing is planned in these days', body: 'Widen the dates, or plan the first activity.' },
  },
  form: [['name'], ['activityTypeId', 'statusId'], ['startDate', 'endDate'], ['location'], ['description']],
  prepare: prepareActivity,
})

const option = { isSoftDeleted: false } as const

export const activityType = defineResource({
  model: 'activityType', one: 'activityType', many: 'activityTypes', label: 'Activity type', labelMany: 'Activity types', title: 'name', ...option,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60 }, status: { kind: 'number', label: 'Active', readOnly: true },
    colour: { kind: 'colour', label: 'Colour' }, tenantId: { kind: 'text', label: 'Tenant', readOnly: true },
  },
  list: { columns: ['name', 'status', 'colour'], sort: ['name', 'ASC'], size: 10_000 },
})

export const activityStatus = defineResource({
  model: 'activityStatus', one: 'activityStatus', many: 'activityStatuses', label: 'Activity status', labelMany: 'Activity statuses', title: 'name', ...option,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60 }, status: { kind: 'number', label: 'Active', readOnly: true },
    default: { kind: 'boolean', label: 'Default', readOnly: true }, meaning: { kind: 'text', label: 'Meaning', readOnly: true },
    colour: { kind: 'colour', label: 'Colour' }, position: { kind: 'number', label: 'Position', readOnly: true }, tenantId: { kind: 'text', label: 'Tenant', readOnly: true },
  },
  list: { columns: ['name', 'meaning', 'colour'], sort: ['position', 'ASC'], size: 10_000 },
})

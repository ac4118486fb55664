import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../../kernel/resource/define.ts'
import { nameText } from '../../../kernel/names.ts'
import { preparePart } from './part.rules.ts'
import { partWorkflow } from './part.workflow.ts'
import { activityStatus } from '../options/option.resource.ts'
import { meaningOptions } from '../options/activity.meanings.ts'

const person = nameText('u')
const ofActivity = (column: string) =>
  `select v."${column}" from activity v where v."companyId" = t."companyId" and v."id" = t."activityId"`
const status = (column: string) =>
  `select s."${column}" from activity_status s where s."companyId" = t."companyId" and s."id" = coalesce(t."statusId", (${ofActivity('statusId')}))`

/** What one agent has to do with one activity: a row of the agent report. */
export const assignment = defineResource({
  model: 'activityAssignment',
  one: 'activityAssignment',
  many: 'activityAssignments',
  label: 'Agent activity',
  labelMany: 'Agent activities',
  title: 'agentName',
  isScoped: true,
  workflow: partWorkflow,
  fields: {
    activityId: { kind: 'text', label: 'Activity (id)', readOnly: true, isTechnical: true },
    statusId: { kind: 'choice', label: 'Status', from: activityStatus, readOnly: true },
    userId: { kind: 'reference', label: 'Agent', to: 'user', readOnly: true },
    agentName: {
      kind: 'text',
      label: 'Agent (name)',
      readOnly: true,
      isTechnical: true,
      sql: `select ${person} from app_user u where u."companyId" = t."companyId" and u."id" = t."userId"`,
    },
    name: { kind: 'text', label: 'Activity', readOnly: true, sql: ofActivity('name') },
    typeDesc: {
      kind: 'text',
      label: 'Type',
      readOnly: true,
      sql: `select y."name" from activity v join activity_type y on y."companyId" = v."companyId" and y."id" = v."activityTypeId" where v."companyId" = t."companyId" and v."id" = t."activityId"`,
    },
    status: { kind: 'text', label: 'Status name', readOnly: true, isTechnical: true, sql: status('name') },
    meaning: { kind: 'choice', label: 'State', readOnly: true, options: meaningOptions, sql: status('meaning') },
    statusText: { kind: 'text', label: 'Status text', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    statusDateCreated: { kind: 'dateTime', label: 'Status since', readOnly: true },
    clockSkewMs: {
      kind: 'number',
      label: 'Clock of the device was off (ms)',
      readOnly: true,
      help: 'Milliseconds by which the time was set right: less than 0 where the device was ahead.',
    },
    location: { kind: 'text', label: 'Place', readOnly: true, sql: ofActivity('location') },
    startDate: { kind: 'dateTime', label: 'Start', readOnly: true, sql: ofActivity('startDate') },
    endDate: { kind: 'dateTime', label: 'End', readOnly: true, sql: ofActivity('endDate') },
    distance: { kind: 'number', label: 'Distance (metres)', readOnly: true },
    isOutOfRange: { kind: 'boolean', label: 'Outside the circle', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Assigned', readOnly: true },
  },
  list: {
    columns: [
      'userId',
      'name',
      'startDate',
      'statusId',
      'statusDateCreated',
      'typeDesc',
      'location',
      'distance',
      'isOutOfRange',
      'tenantId',
    ],
    search: ['agentName', 'name'],
    sort: ['statusDateCreated', 'DESC'],
    size: 1_000_000,
    filters: ['userId', 'meaning', 'typeDesc', 'isOutOfRange', 'tenantId', 'startDate'],
    dates: {
      start: { label: 'Start', field: 'startDate', window: { kind: 'around', back: 0, ahead: 30 } },
      status: { label: 'Status', field: 'statusDateCreated', window: { kind: 'week' } },
    },
    empty: { title: 'Nobody has work in these days', body: 'Choose an earlier period, or give activities to agents.' },
  },
  prepare: preparePart,
  visible: () =>
    sql`exists (select 1 from activity v where v."companyId" = t."companyId" and v."id" = t."activityId" and v."deletedAt" is null)`,
})

import { fixLabels, fixSources } from '@outpost/rules/places/fix-quality'
import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import { nameText } from '../../kernel/names.ts'
import { happenedAtText } from './action.time.ts'

const ofAgent = (value: string) => `select ${value} from app_user u where u."companyId" = t."companyId" and u."id" = t."performedByUserId"`
const happenedAt = happenedAtText('t')

export const actionOptions = [
  { value: '1', label: 'Started the day', colour: 'green' },
  { value: '0', label: 'Ended the day' },
  { value: '2', label: 'Added a file', colour: 'blue' },
  { value: '3', label: 'Removed a file', colour: 'orange' },
]

/** What an agent did, when, and where they were: the report on the work of the field. Own actions, or with the history permission those of the reach. */
export const agentAction = defineResource({
  model: 'agentAction',
  one: 'agentAction',
  many: 'agentActions',
  label: 'Agent action',
  labelMany: 'Agent actions',
  title: 'agentName',
  isScoped: true,
  offline: 'list',
  fields: {
    at: { kind: 'dateTime', label: 'When', readOnly: true, sql: happenedAt },
    day: {
      kind: 'text',
      label: 'Day',
      readOnly: true,
      sql: `select to_char(${happenedAt} at time zone coalesce(c."timeZone", 'Africa/Johannesburg'), 'YYYY-MM-DD') from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"`,
    },
    agentName: { kind: 'text', label: 'Agent', readOnly: true, sql: ofAgent(nameText('u')) },
    action: { kind: 'choice', label: 'Action', readOnly: true, options: actionOptions },
    userName: { kind: 'text', label: 'User name', readOnly: true, sql: ofAgent('u."userName"') },
    performedByUserId: { kind: 'reference', label: 'Agent (user)', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch or team', to: 'tenant', readOnly: true },
    latitude: { kind: 'number', label: 'Latitude', readOnly: true },
    longitude: { kind: 'number', label: 'Longitude', readOnly: true },
    accuracy: { kind: 'number', label: 'Accuracy, m', readOnly: true },
    source: {
      kind: 'choice',
      label: 'Position',
      readOnly: true,
      options: fixSources.map((value) => ({
        value,
        label: fixLabels[value],
        ...(value === 'live' ? { colour: 'green' } : value === 'none' ? { colour: 'red' } : { colour: 'orange' }),
      })),
    },
    isAutomatic: { kind: 'boolean', label: 'Ended by the program', readOnly: true },
    deviceTime: {
      kind: 'dateTime',
      label: 'By the device’s clock',
      readOnly: true,
      sql: `case when not t."isAutomatic" then t."deviceTime" - make_interval(secs => coalesce(t."clockSkewMs", 0) / 1000.0) end`,
    },
    entityType: { kind: 'text', label: 'Done to', readOnly: true },
    entityId: { kind: 'text', label: 'Done to (id)', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Arrived', readOnly: true },
  },
  list: {
    columns: ['at', 'agentName', 'action', 'tenantId', 'source', 'accuracy', 'dateCreated'],
    search: ['agentName', 'userName'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000_000,
    filters: ['action', 'performedByUserId', 'tenantId', 'source', 'isAutomatic'],
    dates: {
      created: { label: 'Arrived', field: 'dateCreated', window: { kind: 'around', back: 7, ahead: 1 } },
      done: { label: 'Done', field: 'at', window: { kind: 'around', back: 7, ahead: 1 } },
    },
    empty: { title: 'Nobody started or ended a day in this time', body: 'Widen the dates, or take the filter away.' },
  },
  visible: (ctx) => {
    if (!holdsAny(ctx, 'SALES/AGENTS/HISTORY')) return sql`t."performedByUserId" = ${ctx.user.id}::uuid`
    return sql`exists (
      select from app_user u where u."companyId" = t."companyId" and u."id" = t."performedByUserId" and ${userInReach(ctx, 'u')})`
  },
})

import { markAction } from '../agents/index.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { listedAt } from '../../kernel/screens/tiles.ts'

const states = [
  { value: 'out', label: 'Signed out by the office', colour: 'default' },
  { value: 'lost', label: 'Work may be lost', colour: 'red' },
  { value: 'silent', label: 'Unsent, not heard of for two days', colour: 'orange' },
  { value: 'unsent', label: 'Holds unsent work', colour: 'gold' },
  { value: 'sent', label: 'All is sent', colour: 'green' },
]

/** Changes and files that wait on a device. */
const unsent = 't."pendingCount" + t."pendingFiles"'

/** A device of a person, as it reported when it last sent: what it still holds, since when, in what storage, under what clock. */
export const syncDevice = defineResource({
  model: 'syncDevice',
  one: 'fieldDevice',
  many: 'devices',
  label: 'Work device',
  labelMany: 'Work devices',
  title: 'name',
  isScoped: true,
  fields: {
    name: {
      kind: 'text',
      label: 'Device',
      readOnly: true,
      sql: `select concat_ws(' ', u."firstName", u."lastName", '·', left(t."deviceId"::text, 8)) from app_user u where u."companyId" = t."companyId" and u."id" = t."userId"`,
    },
    userId: { kind: 'reference', label: 'Person', to: 'user', readOnly: true },
    state: {
      kind: 'choice',
      label: 'State',
      readOnly: true,
      options: states,
      sql: `case when t."signedOutAt" is not null then 'out' when t."lossSuspectedAt" > now() - interval '30 days' then 'lost' when ${unsent} = 0 then 'sent'
        when t."lastSeen" < now() - interval '2 days' then 'silent' else 'unsent' end`,
    },
    pendingCount: { kind: 'number', label: 'Unsent changes', readOnly: true, isUnannounced: true },
    pendingFiles: { kind: 'number', label: 'Unsent photos', readOnly: true, isUnannounced: true },
    oldestPendingAt: { kind: 'dateTime', label: 'Oldest of them', readOnly: true },
    attentionCount: { kind: 'number', label: 'Waiting for a decision', readOnly: true, isUnannounced: true },
    why: {
      kind: 'text',
      label: 'Why it waits',
      readOnly: true,
      sql: `concat_ws(' ', case when ${unsent} > 0 and t."lastSeen" < now() - interval '1 hour' then 'Not heard of since.' end,
        case when ${unsent} > 0 then coalesce(t."lastError", case when t."lastSeen" >= now() - interval '1 hour' then 'Being sent.' end) end,
        case when t."attentionCount" > 0 then 'Its person has to decide.' end)`,
    },
    openLetters: {
      kind: 'number',
      label: 'Changes not placed',
      readOnly: true,
      opens: listedAt('/admin/dead-letters', { device: ':Id', state: 'open' }),
      sql: `select count(*)::int from sync_dead_letter d where d."companyId" = t."companyId" and d."deviceId" = t."deviceId" and d."userId" = t."userId" and d."state" = 'open'`,
    },
    lastSeen: { kind: 'dateTime', label: 'Last heard of', readOnly: true, isUnannounced: true },
    appVersion: { kind: 'text', label: 'Program', readOnly: true },
    persisted: { kind: 'boolean', label: 'Storage is kept', readOnly: true },
    clockSkewMs: { kind: 'number', label: 'Clock is off (ms)', readOnly: true, sql: `t."clockSkewMs"::float8` },
    lostCount: { kind: 'number', label: 'Changes lost', readOnly: true },
    lostFiles: { kind: 'number', label: 'Photos lost', readOnly: true },
    lossSuspectedAt: { kind: 'dateTime', label: 'Came back empty', readOnly: true },
    signedOutAt: { kind: 'dateTime', label: 'Signed out', readOnly: true },
    signedOutByUserId: { kind: 'reference', label: 'Signed out by', to: 'user', readOnly: true },
    deviceId: { kind: 'text', label: 'Device (id)', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
  },
  list: {
    columns: [
      'name',
      'state',
      'pendingCount',
      'pendingFiles',
      'why',
      'oldestPendingAt',
      'openLetters',
      'lastSeen',
      'appVersion',
      'persisted',
      'tenantId',
    ],
    search: ['name', 'deviceId', 'appVersion'],
    sort: ['lastSeen', 'DESC'],
    size: 1_000,
    filters: ['state', 'userId', 'tenantId', 'pendingCount', 'pendingFiles', 'attentionCount', 'persisted', 'appVersion', 'lastSeen'],
    dates: { seen: { label: 'Last heard of', field: 'lastSeen', window: { kind: 'all' } } },
    empty: { title: 'No device has reported yet', body: 'A phone reports when its person signs in on it and syncs.' },
  },
  actions: [
    markAction('sync.markAsCompanys'),
    {
      route: 'sync.signOutDevice',
      label: 'Sign out',
      scope: 'row',
      danger: true,
      visibleIf: { eq: ['signedOutAt', null] },
      confirm: {
        title: 'Sign this device out?',
        body: 'For a phone that is lost: its session ends at once, and it forgets your records when it next reaches the network; until then they are sealed. Unsent work stays on it, sealed, until its person signs in on it again.',
      },
    },
  ],
})

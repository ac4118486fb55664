import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { worksInReach } from '../../kernel/session/reach.ts'
import { prepareApiUser } from './api-user.rules.ts'

const permissions = `coalesce((select json_agg(json_build_object('hierarchy', p."hierarchy") order by p."hierarchy")
  from user_permission p where p."companyId" = t."companyId" and p."userId" = t."id"), '[]')`
const tenants = `select coalesce(json_agg(json_build_object('Id', b."id", 'label', b."name") order by m."position", b."id"), '[]')
  from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId" and b."deletedAt" is null
  where m."companyId" = t."companyId" and m."userId" = t."id"`
const ofKeys = (what: string) => `(select ${what} from api_key k where k."companyId" = t."companyId" and k."userId" = t."id"
  and k."revokedAt" is null and k."expiresAt" > now())`

/** Another system that calls with a key: an account with rights and tenants of its own, without a password and without roles. */
export const apiUser = defineResource({
  model: 'user',
  one: 'apiUser',
  many: 'apiUsers',
  label: 'API user',
  labelMany: 'API users',
  title: 'firstName',
  writtenBy: 'prepared',
  isSoftDeleted: true,
  isIdentity: true,
  hasSearchIndex: true,
  fields: {
    firstName: { kind: 'text', label: 'Name', required: true, maxLength: 60, help: 'What the other system is called' },
    jobTitle: { kind: 'text', label: 'Purpose', maxLength: 80, help: 'What it does here, and whom to ask' },
    tenants: {
      kind: 'multiReference',
      label: 'Works in',
      to: 'tenant',
      required: true,
      max: 50,
      help: 'It reaches these and everything below them',
      through: { pairs: 'userTenant', own: 'userId', order: 'position' },
      sql: tenants,
    },
    permissions: {
      kind: 'permissionTree',
      label: 'Permissions',
      required: true,
      detailOnly: true,
      through: { pairs: 'userPermission', own: 'userId', other: 'hierarchy' },
      sql: permissions,
    },
    permissionCount: {
      kind: 'number',
      label: 'Permissions',
      readOnly: true,
      sql: `select count(*)::int from user_permission p where p."companyId" = t."companyId" and p."userId" = t."id"`,
    },
    keyCount: { kind: 'number', label: 'Keys', readOnly: true, sql: ofKeys('count(*)::int') },
    lastUsedAt: {
      kind: 'dateTime',
      label: 'Last used',
      readOnly: true,
      sql: `(select max(k."lastUsedAt") from api_key k where k."companyId" = t."companyId" and k."userId" = t."id")`,
    },
    nextEnd: { kind: 'dateTime', label: 'Next key ends', readOnly: true, sql: ofKeys('min(k."expiresAt")') },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['firstName', 'jobTitle', 'permissionCount', 'keyCount', 'nextEnd', 'lastUsedAt', 'dateCreated'],
    search: ['firstName'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['jobTitle', 'dateCreated'],
    empty: { title: 'No API users yet', body: 'Add one for each system that reads or writes here, with no more rights than it needs.' },
  },
  form: [['firstName', 'jobTitle'], ['tenants'], ['permissions']],
  actions: [
    {
      route: 'apiUsers.remove',
      label: 'Deactivate',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      danger: true,
      undo: 'apiUsers.restore',
      confirm: { title: 'Deactivate the chosen API users?', body: 'Their keys are refused within five seconds, until they are restored.' },
    },
  ],
  visible: (ctx) => sql`t."isProgram" and ${worksInReach(ctx)}`,
  prepare: prepareApiUser,
})

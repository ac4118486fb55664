import { may } from '../../kernel/area.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import { nameText } from '../../kernel/names.ts'
import { invitationDays } from './invitations.ts'
import { prepareUser } from './user.rules.ts'

const fullName = nameText('t')
const roles = `select coalesce(json_agg(json_build_object('Id', r."id", 'name', r."name") order by r."name"), '[]')
  from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
  where m."companyId" = t."companyId" and m."userId" = t."id"`
const tenants = `select coalesce(json_agg(json_build_object('Id', b."id", 'name', b."name", 'locationRequired', ctx.location_is_required(b."companyId", b."path")) order by m."position", b."id"), '[]')
  from user_tenant m join tenant b on b."companyId" = m."companyId" and b."id" = m."tenantId" and b."deletedAt" is null
  where m."companyId" = t."companyId" and m."userId" = t."id"`
const roleNames = `select string_agg(r."name", ', ' order by r."name")
  from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
  where m."companyId" = t."companyId" and m."userId" = t."id"`

const picture = `'/api/users/' || t."id" || '/picture?v=' || t."pictureId"`
const permissions = `select coalesce(json_agg(json_build_object('hierarchy', p."hierarchy") order by p."hierarchy"), '[]')
  from user_permission p where p."companyId" = t."companyId" and p."userId" = t."id"`

/** A person who works in the company. A password never passes here. */
export const user = defineResource({
  model: 'user',
  one: 'user',
  many: 'users',
  label: 'User',
  labelMany: 'Users',
  title: 'fullName',
  writtenBy: 'prepared',
  isSoftDeleted: true,
  isIdentity: true,
  hasSearchIndex: true,
  // What the specification's client keeps of a session with its user.
  ignores: ['selectedTenant', 'token', 'refreshToken', 'SessionID'],
  fields: {
    fullName: { kind: 'text', label: 'Name', readOnly: true, sql: fullName },
    picture: { kind: 'image', label: 'Picture', readOnly: true, sql: picture },
    firstName: { kind: 'personName', label: 'First name', required: true, maxLength: 20 },
    lastName: { kind: 'personName', label: 'Last name', required: true, maxLength: 60 },
    userName: { kind: 'text', label: 'User name', required: true, maxLength: 60, min: 3 },
    emailAddress: { kind: 'email', label: 'E-mail', required: true },
    mobile: { kind: 'phone', label: 'Mobile' },
    jobTitle: { kind: 'text', label: 'Job title', maxLength: 80 },
    tenantId: { kind: 'reference', label: 'Main tenant', to: 'tenant', help: 'New records are filed here' },
    roles: { kind: 'multiReference', label: 'Roles', to: 'role', max: 200, through: 'userRole', sql: roles },
    tenants: {
      kind: 'multiReference',
      label: 'Tenants',
      to: 'tenant',
      max: 200,
      through: { pairs: 'userTenant', order: 'position' },
      sql: tenants,
    },
    permissions: {
      kind: 'permissionTree',
      label: 'Own permissions',
      detailOnly: true,
      help: 'Beside those of the roles, for this person alone',
      through: { pairs: 'userPermission', own: 'userId', other: 'hierarchy' },
      sql: permissions,
    },
    roleNames: { kind: 'text', label: 'Role', readOnly: true, sql: roleNames },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      options: [
        { value: '1', label: 'Active', colour: 'green' },
        { value: '0', label: 'Deactivated' },
      ],
    },
    invitation: {
      kind: 'choice',
      label: 'Invitation',
      readOnly: true,
      sql: `case when t."invitation" = 'sent' and t."invitedAt" < now() - interval '${invitationDays} days' then 'expired' else t."invitation" end`,
      options: [
        { value: 'sent', label: 'Invited', colour: 'blue' },
        { value: 'expired', label: 'Invitation expired', colour: 'gold' },
        { value: 'revoked', label: 'Invitation revoked', colour: 'red' },
      ],
    },
    invitedAt: { kind: 'dateTime', label: 'Invited', readOnly: true },
    lastSeenAt: { kind: 'dateTime', label: 'Last signed in', readOnly: true, isUnannounced: true },
    emailVerifiedAt: { kind: 'dateTime', label: 'E-mail confirmed', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'fullName',
      'picture',
      'roleNames',
      'tenantId',
      'status',
      'invitation',
      'lastSeenAt',
      'emailAddress',
      'mobile',
      'userName',
      'dateCreated',
    ],
    search: ['firstName', 'lastName', 'userName', 'emailAddress', 'mobile'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000_000,
    filters: ['tenantId', 'jobTitle', 'invitation', 'lastSeenAt', 'dateCreated'],
    empty: { title: 'No users in your reach' },
  },
  form: [
    ['firstName', 'lastName'],
    ['userName', 'emailAddress'],
    ['mobile', 'jobTitle'],
    ['tenants', 'tenantId'],
    ['roles'],
    ['permissions'],
  ],
  actions: [
    {
      key: 'users.impersonate',
      label: 'Work as this user',
      scope: 'row',
      // The console's own page: it asks for the reason, then swaps the session.
      open: '/impersonate/:id/:userName',
      access: may('ADMIN/USERS/IMPERSONATE'),
      // The column is a number, its options are texts.
      visibleIf: { in: ['status', [1, '1']] },
    },
    {
      key: 'users.import',
      label: 'Import',
      scope: 'page',
      open: '/admin/users/import',
    },
    {
      route: 'users.invite',
      label: 'Invite again',
      scope: 'bulk',
      idField: 'userIds',
      many: true,
      visibleIf: { in: ['invitation', ['sent', 'expired', 'revoked']] },
      confirm: { title: 'Invite the chosen users again?', body: 'Each gets a new link by mail; the one before it stops working.' },
    },
    {
      route: 'users.revokeInvitation',
      label: 'Revoke invitation',
      scope: 'bulk',
      idField: 'userIds',
      many: true,
      danger: true,
      visibleIf: { in: ['invitation', ['sent', 'expired']] },
      confirm: { title: 'Revoke these invitations?', body: 'Their links stop working. The users stay and may be invited again.' },
    },
    {
      route: 'users.resetSecondFactor',
      label: 'Reset second factor',
      scope: 'bulk',
      idField: 'userIds',
      many: true,
      danger: true,
      confirm: {
        title: 'Reset the second factor of the chosen users?',
        body: 'Their authenticators and recovery codes stop working, and each is told by mail. Make sure that it is really they who ask.',
      },
    },
    {
      route: 'users.remove',
      label: 'Deactivate',
      scope: 'bulk',
      idField: 'userIds',
      many: true,
      danger: true,
      undo: 'users.restore',
      warning: 'users.openWork',
      confirm: {
        title: 'Deactivate the chosen users?',
        body: 'They are signed out within seconds. Restoring them brings back the work they handed over.',
      },
      form: {
        toUserId: { kind: 'reference', label: 'Open work goes to', to: 'user' },
        leaveWork: { kind: 'boolean', label: 'Leave open work where it is', defaultValue: false },
      },
    },
  ],
  visible: (ctx) => userInReach(ctx),
  prepare: prepareUser,
})

/** A user as callers see one who may choose people for their work, but not administer them. */
export const person = defineResource({
  model: 'user',
  one: 'person',
  many: 'users',
  label: 'Person',
  labelMany: 'People',
  title: 'fullName',
  isSoftDeleted: true,
  hasSearchIndex: true,
  fields: {
    fullName: { kind: 'text', label: 'Name', readOnly: true, sql: fullName },
    firstName: { kind: 'personName', label: 'First name', readOnly: true },
    lastName: { kind: 'personName', label: 'Last name', readOnly: true },
    userName: { kind: 'text', label: 'User name', readOnly: true },
    tenantId: { kind: 'reference', label: 'Main tenant', to: 'tenant', readOnly: true },
  },
  list: { columns: ['fullName', 'firstName', 'lastName', 'userName'], sort: ['fullName', 'ASC'], size: 1_000_000, filters: ['tenantId'] },
  visible: (ctx) => userInReach(ctx),
})

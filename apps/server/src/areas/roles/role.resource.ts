import { defineResource } from '../../kernel/resource/define.ts'
import { prepareRole } from './role.rules.ts'

const permissions = `coalesce((select json_agg(json_build_object('hierarchy', p."hierarchy") order by p."hierarchy")
  from role_permission p where p."companyId" = t."companyId" and p."roleId" = t."id"), '[]')`

/** What a group of users may do. System roles keep their names; what they may is the company's to say. */
export const role = defineResource({
  isIdentity: true,
  hasSearchIndex: true,
  model: 'role',
  one: 'role',
  many: 'roles',
  label: 'Role',
  labelMany: 'Roles',
  title: 'name',
  writtenBy: 'company',
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60 },
    description: { kind: 'longText', label: 'Description', maxLength: 300 },
    asksSecondFactor: { kind: 'boolean', label: 'Asks for a second factor', defaultValue: false },
    systemRole: { kind: 'text', label: 'System role', readOnly: true },
    permissions: {
      kind: 'permissionTree',
      label: 'Permissions',
      detailOnly: true,
      through: { pairs: 'rolePermission', other: 'hierarchy' },
      sql: permissions,
    },
    permissionCount: {
      kind: 'number',
      label: 'Permissions',
      readOnly: true,
      sql: `select count(*)::int from role_permission p where p."companyId" = t."companyId" and p."roleId" = t."id"`,
    },
    userCount: {
      kind: 'number',
      label: 'Users',
      readOnly: true,
      sql: `select count(*)::int from user_role m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId" and u."deletedAt" is null
        where m."companyId" = t."companyId" and m."roleId" = t."id"`,
    },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'description', 'userCount', 'permissionCount', 'asksSecondFactor', 'dateCreated'],
    search: ['name', 'description'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['name', 'systemRole'],
  },
  form: [['name'], ['description'], ['asksSecondFactor'], ['permissions']],
  actions: [
    { key: 'roles.compare', label: 'Compare', scope: 'row', open: '/admin/roles/compare/:id' },
    {
      route: 'roles.clone',
      label: 'Copy',
      scope: 'row',
      form: { name: { kind: 'text', label: 'Name of the copy', required: true, maxLength: 60 } },
    },
    {
      route: 'roles.remove',
      label: 'Delete',
      scope: 'row',
      danger: true,
      confirm: { title: 'Delete this role?', body: 'Only a role that nobody has can be deleted.' },
    },
  ],
  prepare: prepareRole,
})

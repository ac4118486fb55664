import { recordAnswer, removedAnswer } from '../../kernel/resource/answers.ts'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { command, create, get, list, noInput, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { custom, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as answers from './role.answers.ts'
import * as permissions from './permissions.ts'
import * as handle from './role.handlers.ts'
import { role } from './role.resource.ts'

/** Who gives users their roles must see which there are. */
const readers = may('ADMIN/ROLES', 'ADMIN/USERS')

/** Roles and permissions. Nobody can give more rights than he has. */
export const rolesArea = defineArea({
  name: 'roles',
  palette: [{ resource: role, anyOf: ['ADMIN/ROLES'], subtitle: `t."description"`, open: '/admin/roles/list?peek=', isSmall: true, order: 60 }],
  resources: [role],
  routes: [
    route('roles.list', 'GET', '/api/roles', readers, list(role)),
    route('roles.compare', 'GET', '/api/roles/compare', readers, query(handle.compareInput, handle.compareRoles, answers.comparedAnswer), { own: true, summary: 'What only one of two roles may, and what both may' }),
    route('roles.ofUser', 'GET', '/api/roles/users/:userId', anySession, query(permissions.userInput, permissions.rolesOfUser, answers.rolesOfUserAnswer)),
    route('roles.get', 'GET', '/api/roles/:id', readers, get(role)),
    route('roles.create', 'POST', '/api/roles', may('ADMIN/ROLES/CREATE'), create(role)),
    route('roles.clone', 'POST', '/api/roles/:id/clone', may('ADMIN/ROLES/CREATE'), command(handle.cloneInput, handle.cloneRole, recordAnswer(role)), { own: true }),
    route('roles.update', 'PUT', '/api/roles/:id', may('ADMIN/ROLES/EDIT'), { ...command(handle.updateInput, handle.updateRole, recordAnswer(role)), kind: 'update', resource: role }),
    route('roles.remove', 'DELETE', '/api/roles/:id', may('ADMIN/ROLES/DELETE'), { ...command(handle.removeInput, handle.removeRole, removedAnswer), kind: 'remove', resource: role }),
    route('permissions.list', 'GET', '/api/permissions', readers, query(noInput, permissions.allPermissions, answers.permissionsAnswer)),
    route('permissions.ofUser', 'GET', '/api/permissions/byUserId/:id', anySession, query(idInput, permissions.effectivePermissions, answers.effectiveAnswer)),
    route('permissions.ofRole', 'GET', '/api/permissions/:id', readers, query(idInput, permissions.permissionsOfRole, answers.permissionsOfRoleAnswer)),
  ],
  screens: [
    screen('/admin/roles/list', may('ADMIN/ROLES'), listOf(role), { menu: { under: 'administration', label: 'Roles', icon: 'safety', order: 4 } }),
    screen('/admin/roles', may('ADMIN/ROLES'), listOf(role)),
    screen('/admin/roles/compare/:id', may('ADMIN/ROLES'), custom('role-comparison', 'Compare roles')),
    screen('/admin/roles/add', may('ADMIN/ROLES/CREATE'), formOf(role)),
    screen('/admin/roles/edit/:id', may('ADMIN/ROLES/EDIT'), formOf(role)),
  ],
})

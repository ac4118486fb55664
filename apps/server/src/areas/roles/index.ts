/** What other areas may ask of roles. */
export { isCallerAdministrator, readPermissions, refuseWider, refuseWiderRoles } from './role.rules.ts'
export { role } from './role.resource.ts'
export { rolesArea } from './roles.area.ts'
export { seedRoles } from './seed.ts'

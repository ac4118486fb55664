/** What other areas may ask of users. */
export { atHome } from './me.ts'
export { heldRightsOf, refuseForeignTenants, refuseHigher } from './user.rules.ts'
export { user } from './user.resource.ts'
export { usersArea } from './users.area.ts'

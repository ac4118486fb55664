/** What other areas may ask of tenants. */
export { locateUser } from './tenant.location.ts'
export { tenant } from './tenant.resource.ts'
export { tenantsArea } from './tenants.area.ts'

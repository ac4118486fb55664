/** What other areas may ask of tenants. */
export { tenant } from './tenant.resource.ts'
export { tenantsArea } from './tenants.area.ts'

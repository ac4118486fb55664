/** What other areas may ask of the fleet. */
export { geoArea } from './geo.area.ts'
export { maintenancePlan } from './maintenance/maintenance-plan.resource.ts'

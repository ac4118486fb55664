/** What other areas may ask of activities. */
export { activitiesArea } from './activities.area.ts'
export { activity } from './activity.resource.ts'
export { setLinks } from './activity.links.ts'

/** What other areas may ask of activities. */
export { activitiesArea } from './activities.area.ts'
export { activity } from './activity.resource.ts'
export { activityStatus, activityType } from './option.resource.ts'
export { activityTiles, doneIn } from './activity.tiles.ts'
export { setLinks } from './activity.links.ts'
export { handOver } from './activity.handover.ts'

/** What other areas may ask of activities. */
export { activitiesArea } from './activities.area.ts'
export { activityOpenFor } from './activity.open-for.ts'
export { activity } from './activity.resource.ts'
export { activityStatus, activityType } from './options/option.resource.ts'
export { handOver } from './agents/activity.handover.ts'

/** What other areas may ask of activities. */
export { activitiesArea } from './activities.area.ts'

/** What other areas may ask of working time. */
export { workingTimeArea } from './working-time.area.ts'
export { daysOffOf } from './days-off.ts'
export { workingTimeOf, workingTimesOf } from './effective.ts'
export { workingCalendar } from './working-calendar.resource.ts'
export { holiday } from './holiday.resource.ts'

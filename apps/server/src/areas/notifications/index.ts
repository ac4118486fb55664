/** What other areas may ask of notifications. */
export { notificationsArea } from './notifications.area.ts'

import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

/** Work in the field, of whichever area. */
export const workNews = notificationKind('activities', {
  label: 'Activities',
  help: 'Visits and stops given to you, your day ended for you',
  order: 10,
})

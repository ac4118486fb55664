import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const complaintNews = notificationKind('complaints', {
  label: 'Complaints',
  help: 'Complaints given to you, and those whose time runs out',
  order: 35,
})

import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const clientNews = notificationKind('clients', {
  label: 'Clients',
  help: 'Papers of your clients that expire, files of clients that were imported',
  order: 35,
})

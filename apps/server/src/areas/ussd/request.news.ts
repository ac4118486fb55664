import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const requestNews = notificationKind('ussdRequests', {
  label: 'USSD requests',
  help: 'Clients of yours who ask by phone for a loan or a call',
  order: 36,
})

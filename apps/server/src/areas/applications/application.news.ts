import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const applicationNews = notificationKind('applications', {
  label: 'Loan applications',
  help: 'Decisions on what you sent in',
  order: 35,
})

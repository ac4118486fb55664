import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const policyNews = notificationKind('policies', {
  label: 'Insurance policies',
  help: 'Policies of your clients that expire',
  order: 37,
})

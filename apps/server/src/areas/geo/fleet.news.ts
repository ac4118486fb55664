import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const fleetNews = notificationKind('fleet', {
  label: 'Tracking',
  help: 'What the rules of the fleet tell you',
  order: 60,
  isUrgent: true,
})

import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const targetNews = notificationKind('targets', {
  label: 'Targets',
  help: 'Half, nine tenths and all of a target reached',
  order: 50,
})

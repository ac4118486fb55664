import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const caseNews = notificationKind('cases', { label: 'Cases', help: 'Cases given to you', order: 30 })

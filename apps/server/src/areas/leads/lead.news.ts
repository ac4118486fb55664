import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const leadNews = notificationKind('leads', { label: 'Leads', help: 'Leads assigned to you, answers to consent requests', order: 20 })

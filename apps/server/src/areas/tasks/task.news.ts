import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const taskNews = notificationKind('tasks', { label: 'Tasks', help: 'Tasks given to you, and reminders of yours', order: 15 })

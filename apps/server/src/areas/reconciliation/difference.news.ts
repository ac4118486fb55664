import { notificationKind } from '../../kernel/realtime/notification-kinds.ts'

export const booksNews = notificationKind('books', {
  label: 'Differences in the books',
  help: 'Schedule, ledger, balances or a statement that do not agree',
  order: 38,
  isUrgent: true,
})

/** A kind of news, with the words that preferences show; `order` is its place among them, counted in tens. What concerns one's own account is always sent. */
export interface NotificationKind {
  name: string
  label: string
  help: string
  order: number
  /** Is sent in quiet hours too. */
  isUrgent?: boolean
}

export const notificationKind = (name: string, words: Omit<NotificationKind, 'name'>): NotificationKind => ({ name, ...words })

/** What colleagues write on any record that keeps comments. */
export const commentNews = notificationKind('comments', { label: 'Comments', help: 'What colleagues write on your records', order: 40 })
export const otherNews = notificationKind('other', { label: 'Everything else', help: 'News of no other kind', order: 90 })

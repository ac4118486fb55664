/** The badge of a notification: the first two letters of its type, "BC" without one. */
export function badgeOf(itemType: string | undefined): string {
  return itemType?.trim().slice(0, 2).toUpperCase() || 'BC'
}

/** Its header: an activity or a comment is named, everything else is a message. */
export function headerOf(itemType: string | undefined): 'Activity' | 'Comment' | 'Message' {
  const type = (itemType ?? '').trim().toLowerCase()
  if (type.startsWith('activit')) return 'Activity'
  return type.startsWith('comment') ? 'Comment' : 'Message'
}

/** `link`: the screen of what it is about. */
export interface Notification {
  Id?: string
  itemType?: string
  message: string
  link?: string | null
  dateCreated: string
  readAt?: string | null
}
/** The newest unread ones, and how many there are in all. */
export interface Unread {
  notifications: Notification[]
  count: number
}
export const notificationsKey = ['notifications'] as const
/** Of the page that has all of them. */
export const historyKey = ['notificationHistory'] as const

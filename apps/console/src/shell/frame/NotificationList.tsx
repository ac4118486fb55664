import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { api, ApiError } from '../../data/api.ts'
import { toast } from '../../feedback/toast.ts'
import { badgeOf, headerOf, notificationsKey, type Notification } from './notification-words.ts'
import { notificationTime, relativeTime } from './time.ts'

/** The unread notifications, newest first, and the way to mark them all as read. */
export function NotificationList({ notifications, isOnline }: { notifications: Notification[], isOnline: boolean }) {
  const queries = useQueryClient()
  const markAll = async (): Promise<void> => {
    queries.setQueryData(notificationsKey, [])
    try {
      await api.post('/api/notification/markallread')
    } catch (error) {
      toast.danger({ title: 'Notifications were not marked as read', body: error instanceof ApiError ? error.message : undefined })
    }
    await queries.invalidateQueries({ queryKey: notificationsKey })
  }
  return (
    <>
      <div className="o-panel-head">
        <h2>Notifications</h2>
        <Button size="small" type="link" disabled={!isOnline || notifications.length === 0} onClick={() => void markAll()}>Mark all as read</Button>
      </div>
      <ul className="o-notification-list" tabIndex={0} aria-label="Unread notifications">
        {notifications.map((one, index) => <Item key={one.Id ?? index} notification={one} />)}
        {notifications.length === 0 && <li className="o-panel-empty">{isOnline ? 'Nothing new.' : 'Notifications need a connection.'}</li>}
      </ul>
    </>
  )
}

function Item({ notification: { itemType, message, dateCreated } }: { notification: Notification }) {
  return (
    <li className="o-notification">
      <span className="o-avatar" aria-hidden="true">{badgeOf(itemType)}</span>
      <span className="o-notification-text">
        <strong>{headerOf(itemType)}</strong>
        <span>{message}</span>
        <time dateTime={dateCreated} title={notificationTime(dateCreated)}>{relativeTime(dateCreated)}</time>
      </span>
    </li>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { ApiError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { badgeOf, headerOf, historyKey, notificationsKey, type Notification, type Unread } from './notification-text.ts'
import { notificationTime, relativeTime } from '../layout/time.ts'
import { t } from '../../session/labels.ts'
import { NewsText } from '../../view/NewsText.tsx'

interface ListProps {
  notifications: Notification[]
  isOnline: boolean
  onOpen: () => void
}

/** What stays unread, and how much: those that are not shown are counted on, unless nothing is left. */
function without({ notifications, count }: Unread, read: (one: Notification) => boolean): Unread {
  const left = notifications.filter((one) => !read(one))
  return { notifications: left, count: left.length === 0 ? 0 : count - notifications.length + left.length }
}

/** The unread notifications, newest first: each opens what it is about, and is read by that; one or all can be marked as read. */
export function NotificationList({ notifications, isOnline, onOpen }: ListProps) {
  const queries = useQueryClient()
  const mark = async (read: (one: Notification) => boolean, send: () => Promise<unknown>): Promise<void> => {
    queries.setQueryData<Unread>(notificationsKey, (all) => all && without(all, read))
    try {
      await send()
    } catch (error) {
      toast.danger({ title: t('Notifications were not marked as read'), body: error instanceof ApiError ? error.message : undefined })
    }
    await Promise.all([queries.invalidateQueries({ queryKey: notificationsKey }), queries.invalidateQueries({ queryKey: historyKey })])
  }
  const markOne = ({ Id }: Notification) =>
    void mark(
      (one) => one.Id === Id,
      () => call('notifications.markRead', { body: { ids: [String(Id)] } }),
    )
  return (
    <>
      <div className="o-panel-head">
        <h2>{t('Notifications')}</h2>
        <Button
          size="small"
          type="link"
          disabled={!isOnline || notifications.length === 0}
          onClick={() =>
            void mark(
              () => true,
              () => call('notifications.markAllRead'),
            )
          }
        >
          {t('Mark all as read')}
        </Button>
      </div>
      <ul className="o-notification-list" tabIndex={0} aria-label={t('Unread notifications')}>
        {notifications.map((one, index) => (
          <NotificationItem
            key={one.Id ?? index}
            notification={one}
            onRead={isOnline && one.Id ? () => markOne(one) : undefined}
            onOpen={onOpen}
          />
        ))}
        {notifications.length === 0 && (
          <li className="o-panel-empty">{isOnline ? t('Nothing new.') : t('Notifications need a connection.')}</li>
        )}
      </ul>
      <p className="o-panel-foot">
        <Link to="/notifications" onClick={onOpen}>
          {t('All notifications and preferences')}
        </Link>
      </p>
    </>
  )
}

/** One notification; it leads to what it is about, which reads it. */
export function NotificationItem({
  notification: { itemType, message, link, dateCreated },
  onRead,
  onOpen,
}: {
  notification: Notification
  onRead?: () => void
  onOpen?: () => void
}) {
  const follow = () => {
    onRead?.()
    onOpen?.()
  }
  return (
    <li className="o-notification" data-unread={onRead !== undefined}>
      <span className="o-avatar" aria-hidden="true">
        {badgeOf(itemType)}
      </span>
      <span className="o-notification-text">
        <strong>{t(headerOf(itemType))}</strong>
        <NewsText message={message} link={link} onFollow={follow} />
        <time dateTime={dateCreated} title={notificationTime(dateCreated)}>
          {relativeTime(dateCreated)}
        </time>
      </span>
      {onRead && (
        <Button
          type="text"
          size="small"
          icon={<CheckOutlined aria-hidden />}
          aria-label={t('Mark as read: {{message}}', { message: t(message) })}
          onClick={onRead}
        />
      )}
    </li>
  )
}

import { BellOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { on } from '../../data/live.ts'
import { Disclosure } from '../layout/menu/Disclosure.tsx'
import { notificationsKey, type Unread } from './notification-text.ts'
import { t } from '../../session/labels.ts'

const NotificationList = lazy(() => import('./NotificationList.tsx').then((file) => ({ default: file.NotificationList })))

const nothingUnread: Unread = { notifications: [], count: 0 }

/** The bell: unread notifications, live; only asked for while online. A failed call shows none. */
export function Notifications() {
  const { isOnline } = useConnection()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: notificationsKey,
    enabled: isOnline,
    staleTime: 60_000,
    queryFn: async () => (await call('notifications.unread')).data as Unread,
  })
  useEffect(() => on('notification', () => void queries.invalidateQueries({ queryKey: notificationsKey })), [queries])
  const { notifications, count } = data ?? nothingUnread
  return (
    <Disclosure
      label={count > 0 ? t('Notifications, {{count}} unread', { count }) : t('Notifications')}
      panelClass="o-notifications"
      button={
        <>
          <BellOutlined />
          {count > 0 && (
            <span className="o-count" aria-hidden="true">
              {count > 99 ? '99+' : count}
            </span>
          )}
        </>
      }
    >
      {(close) => <NotificationList notifications={notifications} isOnline={isOnline} onOpen={close} />}
    </Disclosure>
  )
}

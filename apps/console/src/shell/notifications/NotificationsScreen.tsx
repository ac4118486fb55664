import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Pagination, Segmented } from 'antd'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { useAddress, type Address } from '../../view/address.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError } from '../form.tsx'
import { NotificationItem } from './NotificationList.tsx'
import { historyKey, notificationsKey } from './notification-text.ts'
import { Preferences } from './Preferences.tsx'
import { PushCard } from './PushCard.tsx'
import './notifications.css'
import { t } from '../../session/labels.ts'

type State = 'all' | 'unread' | 'read'
const states: { value: State; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'read', label: 'Read' },
]
const size = 25

/** What the address asks for; what it says wrongly counts as nothing said. */
function shownBy(address: Address): { state: State; page: number } {
  const page = Number(address.page)
  return {
    state: states.find(({ value }) => value === address.state)?.value ?? 'all',
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  }
}

/** Everything that was sent to the user, read and unread, and what is to be sent in which way. */
export function NotificationsScreen() {
  const { isOnline } = useConnection()
  const queries = useQueryClient()
  const { address, patch } = useAddress()
  const { state, page } = shownBy(address)
  const { data, error, isPending } = useQuery({
    queryKey: [...historyKey, state, page],
    enabled: isOnline,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('notifications.history', { query: { state, page, size } }, { signal }),
  })
  const mark = useMutation({
    mutationFn: (ids?: string[]) => (ids ? call('notifications.markRead', { body: { ids } }) : call('notifications.markAllRead')),
    onError: (cause) =>
      toast.danger({ title: t('Notifications were not marked as read'), body: cause instanceof Error ? cause.message : undefined }),
    onSettled: () => Promise.all([historyKey, notificationsKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  const shown = data?.data.notifications ?? []
  const total = data?.meta?.total ?? 0
  return (
    <>
      <div className="o-page-head">
        <h1 tabIndex={-1}>{t('Notifications')}</h1>
      </div>
      <div className="o-news">
        <section className="o-card" aria-label={t('History')} aria-busy={isPending && isOnline}>
          <div className="o-page-head">
            <Segmented<State>
              aria-label={t('Which notifications')}
              options={states.map(({ value, label }) => ({ value, label: t(label) }))}
              value={state}
              onChange={(next) => patch({ state: next === 'all' ? undefined : next, page: undefined })}
            />
            <Button disabled={!isOnline} loading={mark.isPending} onClick={() => mark.mutate(undefined)}>
              {t('Mark all as read')}
            </Button>
          </div>
          <FormError error={error} />
          <ul className="o-news-list">
            {shown.map((one) => (
              <NotificationItem
                key={one.Id}
                notification={one}
                onRead={one.Id && !one.readAt && isOnline ? () => mark.mutate([one.Id!]) : undefined}
              />
            ))}
            {data && shown.length === 0 && (
              <li className="o-panel-empty">{state === 'unread' ? t('Nothing new.') : t('Nothing was told to you yet.')}</li>
            )}
            {!isOnline && <li className="o-panel-empty">{t('Notifications need a connection.')}</li>}
          </ul>
          {total > size && (
            <Pagination
              className="o-news-pages"
              align="end"
              current={page}
              pageSize={size}
              total={total}
              showSizeChanger={false}
              onChange={(next) => patch({ page: next === 1 ? undefined : next }, { isStep: true })}
            />
          )}
        </section>
        <div className="o-news-side">
          <Preferences isOnline={isOnline} />
          <PushCard isOnline={isOnline} />
        </div>
      </div>
    </>
  )
}

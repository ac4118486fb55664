import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError } from '../form.tsx'
import { relativeTime } from '../layout/time.ts'
import { browserOf } from './browser.ts'
import { t } from '../../session/labels.ts'

interface Session {
  Id: string
  dateCreated: string
  lastSeenAt: string
  userAgent: string | null
  ip: string | null
  isCurrent: boolean
  deviceName: string | null
}

/** The user's open sessions, each of which can be ended from here. */
export function Sessions() {
  const { isOnline } = useConnection()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['sessions'],
    staleTime: 0,
    enabled: isOnline,
    queryFn: async () => (await call('auth.sessions')).data.sessions as Session[],
  })
  const [busy, setBusy] = useState<string | null>(null)
  const end = async (key: string, body: object): Promise<void> => {
    setBusy(key)
    try {
      await call('auth.endSessions', { body })
      await refetch()
    } catch (cause) {
      toast.danger({ title: t('The session was not ended'), body: cause instanceof Error ? cause.message : undefined })
    }
    setBusy(null)
  }
  const sessions = data ?? []
  return (
    <section className="o-card" aria-label={t('Where you are signed in')}>
      <div className="o-page-head">
        <h2>{t('Where you are signed in')}</h2>
        {sessions.length > 1 && (
          <Button loading={busy === 'others'} onClick={() => void end('others', { others: true })}>
            {t('End all others')}
          </Button>
        )}
      </div>
      <FormError error={error} />
      {!isOnline && <p className="o-soft">{t('Your sessions are shown when there is a connection.')}</p>}
      <ul className="o-sessions" aria-busy={isPending && isOnline}>
        {sessions.map((one) => (
          <li key={one.Id}>
            <span>
              <strong>{one.deviceName ?? browserOf(one.userAgent)}</strong> {one.isCurrent && <Tag color="success">{t('this one')}</Tag>}
            </span>
            <span className="o-soft">
              {t('{{address}} · last used {{lastSeenAt}} · since {{dateCreated}}', {
                address: one.ip ?? t('unknown address'),
                lastSeenAt: relativeTime(one.lastSeenAt),
                dateCreated: relativeTime(one.dateCreated),
              })}
            </span>
            {!one.isCurrent && (
              <Button
                size="small"
                loading={busy === one.Id}
                onClick={() => void end(one.Id, { sessionId: one.Id })}
                aria-label={t('End the session of {{userAgent}}, last used {{lastSeenAt}}', {
                  userAgent: one.deviceName ?? browserOf(one.userAgent),
                  lastSeenAt: relativeTime(one.lastSeenAt),
                })}
              >
                {t('End')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

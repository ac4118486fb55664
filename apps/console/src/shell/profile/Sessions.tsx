import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError } from '../form.tsx'
import { relativeTime } from '../layout/time.ts'
import { browserOf } from './browser.ts'

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
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['sessions'],
    staleTime: 0,
    queryFn: async () => (await call('auth.sessions')).data.sessions as Session[],
  })
  const [busy, setBusy] = useState<string | null>(null)
  const end = async (key: string, body: object): Promise<void> => {
    setBusy(key)
    try {
      await call('auth.endSessions', { body })
      await refetch()
    } catch (cause) {
      toast.danger({ title: 'The session was not ended', body: cause instanceof Error ? cause.message : undefined })
    }
    setBusy(null)
  }
  const sessions = data ?? []
  return (
    <section className="o-card" aria-label="Where you are signed in">
      <div className="o-page-head">
        <h2>Where you are signed in</h2>
        {sessions.length > 1 && (
          <Button loading={busy === 'others'} onClick={() => void end('others', { others: true })}>
            End all others
          </Button>
        )}
      </div>
      <FormError error={error} />
      <ul className="o-sessions" aria-busy={isPending}>
        {sessions.map((one) => (
          <li key={one.Id}>
            <span>
              <strong>{one.deviceName ?? browserOf(one.userAgent)}</strong> {one.isCurrent && <Tag color="success">this one</Tag>}
            </span>
            <span className="o-soft">
              {one.ip ?? 'unknown address'} · last used {relativeTime(one.lastSeenAt)} · since {relativeTime(one.dateCreated)}
            </span>
            {!one.isCurrent && (
              <Button
                size="small"
                loading={busy === one.Id}
                onClick={() => void end(one.Id, { sessionId: one.Id })}
                aria-label={`End the session of ${one.deviceName ?? browserOf(one.userAgent)}, last used ${relativeTime(one.lastSeenAt)}`}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

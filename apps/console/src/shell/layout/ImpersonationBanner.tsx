import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../session/session.ts'
import { serverNow } from '../../session/token.ts'
import { t } from '../../session/labels.ts'

/** Always in sight while working as somebody else: who, why, how long yet, and the way back. */
export function ImpersonationBanner() {
  const { layout } = useSession()
  const impersonation = layout?.impersonation
  const minutes = useMinutesUntil(impersonation?.endsAt)
  if (!layout || !impersonation) return null
  const { user, realUser } = layout
  return (
    <section className="o-banner" aria-label={t('Impersonation')}>
      <span className="o-banner-text">
        {realUser ? t('{{firstName}} {{lastName}}, you', { firstName: realUser.firstName, lastName: realUser.lastName }) : t('You')}{' '}
        {t('work as')}{' '}
        <strong>
          {user.firstName} {user.lastName}
        </strong>
        <span className="o-banner-reason"> · {impersonation.reason}</span>
        <span> · {t('{{count}} minutes left', { count: minutes })}</span>
      </span>
      <Link to="/end-impersonation" className="o-banner-end">
        {t('End User Impersonation')}
      </Link>
    </section>
  )
}

function useMinutesUntil(iso: string | undefined): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 15_000)
    return () => clearInterval(timer)
  }, [])
  return iso ? Math.max(0, Math.ceil((Date.parse(iso) - now) / 60_000)) : 0
}

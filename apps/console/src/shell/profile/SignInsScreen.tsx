import { useQuery } from '@tanstack/react-query'
import { Tag } from 'antd'
import { Link } from '@tanstack/react-router'
import { call } from '../../data/calls.ts'
import { formatDateTime } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import { browserOf } from './browser.ts'
import { t } from '../../session/labels.ts'

interface SignIn {
  Id: string
  dateCreated: string
  outcome: string
  way: string | null
  ip: string | null
  place: string | null
  userAgent: string | null
  isNewDevice: boolean
}

const outcomeOf = (outcome: string): string => {
  if (outcome === 'login') return t('Signed in')
  if (outcome === 'refused') return t('Refused')
  if (outcome === 'logout') return t('Signed out')
  return outcome === 'impersonation' ? t('An administrator worked as you') : t('Stopped: a stolen key was used')
}
const colours: Readonly<Record<string, string>> = { login: 'success', refused: 'error', impersonation: 'warning', 'refresh-reuse': 'error' }

const wayOf = (way: string | null): string | null => {
  if (way === 'second-factor') return t('Second factor')
  if (way === 'code') return t('One-time code')
  if (way === 'biometric') return t('Fingerprint or face')
  if (way === 'passkey') return t('Passkey')
  if (way === 'saml') return 'SAML'
  return way && t('Password')
}

/** When, how and from where somebody signed in to the own account, or tried to. */
export function SignInsScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-ins'],
    staleTime: 0,
    queryFn: async () => (await call('auth.signIns')).data.signIns as SignIn[],
  })
  return (
    <>
      <div className="o-page-head">
        <h1>{t('Sign-in history')}</h1>
      </div>
      <p className="o-soft">
        {t('If one of these was not you, change your password: it ends all other sessions.')}{' '}
        <Link to="/profile/change-password">{t('Change password')}</Link>
      </p>
      <section className="o-card" aria-label={t('Sign-in history')}>
        {!data && !error && <LoadingState />}
        {error && <ErrorState error={error} what={t('Sign-in history')} onRetry={() => void refetch()} />}
        {data?.length === 0 && <EmptyState title={t('Nobody has signed in yet')} />}
        <ul className="o-sessions">
          {data?.map((one) => (
            <li key={one.Id}>
              <span>
                <Tag color={colours[one.outcome]}>{outcomeOf(one.outcome)}</Tag>{' '}
                {one.outcome !== 'logout' && <strong>{browserOf(one.userAgent)}</strong>}{' '}
                {one.isNewDevice && <Tag color="warning">{t('New device')}</Tag>}
              </span>
              <span className="o-soft">{factsOf(one)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

/** "12 May 2026, 14:03 · Password · 196.201.214.7 · Head office", as far as it is known. */
function factsOf({ dateCreated, way, ip, place }: SignIn): string {
  return [formatDateTime(dateCreated), wayOf(way), ip, place].filter(Boolean).join(' · ')
}

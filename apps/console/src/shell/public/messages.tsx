import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import { checkConnection, useConnection } from '../../data/connection.ts'
import { safeRedirect } from '../../session/redirect.ts'
import { useSession } from '../../session/session.ts'
import { StatusScreen } from '../StatusScreen.tsx'
import { t } from '../../session/labels.ts'

/** No such screen, for who is signed in: the menu around it stays. */
export function NotFoundScreen() {
  const router = useRouter()
  return (
    <StatusScreen
      drawing="lost"
      title={t('This page does not exist')}
      actions={
        <>
          <Button type="primary" onClick={() => router.history.back()}>
            {t('Go back')}
          </Button>
          <Link to="/">{t('Go to the start')}</Link>
        </>
      }
    >
      <p>
        {t('The address may be mistyped, or the page may have moved. The menu and the search (Ctrl K) lead to everything you may open.')}
      </p>
    </StatusScreen>
  )
}

/** No such screen, for a stranger. */
export function LoneNotFoundScreen() {
  const from = location.pathname + location.search
  return (
    <main id="main" tabIndex={-1} className="o-lone">
      <StatusScreen
        drawing="lost"
        title={t('This page does not exist')}
        actions={
          <Link to="/login" search={{ redirectFrom: from }}>
            {t('Sign in')}
          </Link>
        }
      >
        <p>{t('The address may be mistyped, or the page may have moved.')}</p>
      </StatusScreen>
    </main>
  )
}

/** The user is known but lacks the permission. */
export function NotAuthorizedScreen() {
  const from = useBack()
  const { phase, layout } = useSession()
  return (
    <StatusScreen
      drawing="locked"
      title={t('You may not open this page')}
      actions={
        <>
          <Link to="/">{t('Go to the start')}</Link>
          {phase === 'in' && <Link to="/logout">{t('Sign in as somebody else')}</Link>}
        </>
      }
    >
      <p>
        {from ? (
          <>
            {t('Your roles do not include')} <code>{from}</code>.{' '}
          </>
        ) : (
          `${t('Your roles do not include this page.')} `
        )}
        {t('Ask an administrator of')} {layout?.company.name ?? t('your company')} {t('if you need it.')}
      </p>
    </StatusScreen>
  )
}

/** A screen that is named but not made yet. */
export function ComingSoonScreen() {
  return (
    <StatusScreen drawing="soon" title={t('Coming soon')} actions={<Link to="/">{t('Go to the start')}</Link>}>
      <p>{t('This part of the console is being made.')}</p>
    </StatusScreen>
  )
}

/** The screen wanted needs a connection. */
export function OfflineScreen() {
  const { isOnline } = useConnection()
  const { phase, layout } = useSession()
  const router = useRouter()
  const [isChecking, setChecking] = useState(false)
  const from = useBack()
  const retry = async (): Promise<void> => {
    setChecking(true)
    const isBack = await checkConnection()
    setChecking(false)
    if (isBack) router.history.push(from ?? '/')
  }
  return (
    <StatusScreen
      drawing={isOnline ? 'done' : 'offline'}
      title={isOnline ? t('You are online again') : t('You are offline')}
      actions={
        <>
          <Button type="primary" loading={isChecking} onClick={() => void retry()}>
            {isOnline ? t('Go on') : t('Try again')}
          </Button>
          {phase === 'in' && layout?.isFieldRole && <Link to={layout.landing}>{t('Work with what is on this device')}</Link>}
          {phase === 'out' && <Link to="/login">{t('Sign in on this device')}</Link>}
        </>
      }
    >
      <p>
        {isOnline
          ? t('The connection is back.')
          : t('This page needs a connection. What you entered on this device is safe and is sent when the connection is back.')}
      </p>
    </StatusScreen>
  )
}

/** The address the visitor came from, when it is one of ours. */
function useBack(): string | null {
  const search: { redirectFrom?: string } = useSearch({ strict: false })
  return safeRedirect(search.redirectFrom, location.origin)
}

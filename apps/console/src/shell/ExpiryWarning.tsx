import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useSession } from '../session/session.ts'
import { t } from '../session/labels.ts'

/** Two minutes before a session ends: stay where that is possible, or sign out now. Drafts of forms are kept either way. */
export function ExpiryWarning() {
  const { endsAt, mayStay, staySignedIn, signOut } = useSession()
  const seconds = useSecondsUntil(endsAt)
  return (
    <Modal
      open={endsAt !== null}
      title={mayStay ? t('Are you still there?') : t('Your session ends soon')}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={[
        <Button key="out" onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>,
        mayStay && (
          <Button key="stay" type="primary" autoFocus onClick={() => void staySignedIn()}>
            {t('Stay signed in')}
          </Button>
        ),
      ]}
    >
      <p>
        {mayStay
          ? t('Nothing was done here for a while.')
          : t('Your session has lasted as long as it may; save your work and sign in again.')}{' '}
        <strong>{t('You are signed out in {{time}}.', { time: wording(seconds) })}</strong>{' '}
        {t('What you entered into a form is kept as a draft.')}
      </p>
    </Modal>
  )
}

function wording(seconds: number): string {
  if (seconds > 60) return t('{{count}} minutes', { count: Math.ceil(seconds / 60) })
  return t('{{count}} seconds', { count: seconds })
}

function useSecondsUntil(moment: number | null): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (moment === null) return
    const tick = (): void => setSeconds(Math.max(0, Math.ceil((moment - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [moment])
  return seconds
}

import { KeyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../data/api.ts'
import { useConnection } from '../../data/connection.ts'
import { toast } from '../../feedback/toast.ts'
import type { OauthRequest, SignedIn } from '../../session/actions.ts'
import { t } from '../../session/labels.ts'
import { currentDataKey, UnlockError } from '../../session/unlock/unlock.ts'

/** A challenge is good for five minutes; the browser's list is filled anew before that. */
const renewAfter = 240_000

interface PasskeySignInProps {
  oauth: OauthRequest | undefined
  onTrouble: (why: Error | null) => void
}

/** Sign-in by fingerprint, face or another passkey: by a button, and in the list of names that the browser fills in. */
export function PasskeySignIn({ oauth, onTrouble }: PasskeySignInProps) {
  const { isOnline } = useConnection()
  const [isBusy, setBusy] = useState(false)
  /** One sign-in at a time: the quiet one may come through while the button is pressed. */
  const isIn = useRef(false)
  const finish = (result: SignedIn): void => {
    isIn.current = true
    // The server compared the address with the client's registered ones.
    if ('redirect' in result) return location.assign(result.redirect)
    if (result.layout.isFieldRole && currentDataKey() === null)
      toast.warning({ title: t('Sign in with your password once to work without a connection on this device.'), seconds: 0 })
  }
  const wait = useEffectEvent(async (): Promise<void> => {
    const { hasAutofill, isAborted, signInByPasskey } = await import('../../session/passkeys.ts')
    if (isIn.current || !(await hasAutofill())) return
    try {
      finish(await signInByPasskey({ oauth, isQuiet: true }))
    } catch (error) {
      // Nobody asked for it: only what the server said about a passkey that was chosen is shown.
      if (!isAborted(error) && error instanceof ApiError && error.status === 401) onTrouble(error)
    }
  })
  useEffect(() => {
    if (!isOnline || isBusy) return
    void wait()
    const renewing = setInterval(() => void wait(), renewAfter)
    return () => {
      clearInterval(renewing)
      void import('../../session/passkeys.ts').then(({ stopAsking }) => stopAsking())
    }
  }, [isOnline, isBusy])
  const press = async (): Promise<void> => {
    if (isBusy || isIn.current) return
    setBusy(true)
    onTrouble(null)
    try {
      const { signInByPasskey } = await import('../../session/passkeys.ts')
      finish(await signInByPasskey({ oauth, isQuiet: false }))
    } catch (error) {
      onTrouble(error instanceof ApiError || error instanceof UnlockError ? error : new Error(t(notShown)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="large" block icon={<KeyOutlined />} loading={isBusy} onClick={() => void press()} className="o-public-passkey">
      {t('Use fingerprint or passkey')}
    </Button>
  )
}

const notShown = 'No passkey was shown. This device has none for this site, or it was cancelled. Sign in with your password.'

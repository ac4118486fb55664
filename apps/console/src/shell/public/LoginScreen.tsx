import { Link, useRouterState, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Input } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../data/calls.ts'
import { useConnection, describeTrouble } from '../../data/connection.ts'
import { signIn } from '../../session/actions.ts'
import type { OauthRequest, Typed } from '../../session/actions.ts'
import { isPasskeyOffered } from '../../session/passkey-offer.ts'
import { useSession } from '../../session/session.ts'
import type { SessionEndReason } from '../../session/token.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import type { SecondStepProps } from './SecondStep.tsx'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { t } from '../../session/labels.ts'

/** Few see the second step, and its QR code is no small download. */
const SecondStep = lazy(async () => ({ default: (await import('./SecondStep.tsx')).SecondStep }))

const farewells: Record<SessionEndReason, string> = {
  logout: 'You are signed out.',
  expired: 'Your session has ended. Sign in again to go on where you were.',
  disabled: 'This user is deactivated. Ask an administrator.',
  replaced: 'Your session was ended from another device.',
  wiped: 'Your office has signed this device out. It keeps no records any more; what was not sent yet stays on it and waits for you.',
}

/** Sign-in, online or against this device; also the door for OAuth clients at /login/oauth/authorize. */
export function LoginScreen() {
  const [form] = Form.useForm<Typed>()
  const isOauth = useRouterState({ select: (state) => state.location.pathname.startsWith('/login/oauth') })
  const search: Record<string, unknown> = useSearch({ strict: false })
  const oauth = isOauth ? oauthRequest(search) : undefined
  const [next, setNext] = useState<Pick<SecondStepProps, 'step' | 'typed'> | null>(null)
  const [came, setCame] = useState<Error | null>(null)
  const { isBusy, error, submit } = useSubmission(form, async ({ email, password }) => {
    const typed = { email: email.trim(), password }
    setCame(null)
    const result = await signIn(typed, oauth ?? undefined)
    if ('step' in result) return setNext({ step: result, typed })
    // The server compared the address with the client's registered ones; it is the only place to leave this origin.
    if ('redirect' in result) location.assign(result.redirect)
  })
  if (oauth === null) return <BrokenRequest />
  if (next) {
    const back = (why: Error | null): void => {
      setCame(why)
      setNext(null)
    }
    return (
      <Suspense fallback={<div className="o-public-wait" />}>
        <SecondStep {...next} onBack={back} />
      </Suspense>
    )
  }
  return (
    <>
      <h1>{t('Sign in')}</h1>
      <Notices isOauth={isOauth} clientId={oauth?.clientId} />
      <FormError error={error ?? came} />
      <Form noValidate form={form} {...formLook} onFinish={submit} onValuesChange={fetchAhead} name="login">
        <Form.Item
          label={t('E-mail or user name')}
          name="email"
          rules={[{ required: true, whitespace: true, message: t('Enter your e-mail address or user name.') }]}
        >
          <Input
            size="large"
            autoComplete={isPasskeyOffered() ? 'username webauthn' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={254}
          />
        </Form.Item>
        <Form.Item label={t('Password')} name="password" rules={[{ required: true, message: t('Enter your password.') }]}>
          <Input.Password size="large" autoComplete="current-password" maxLength={128} />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Sign in')}
        </Button>
      </Form>
      {isPasskeyOffered() && <PasskeySignIn oauth={oauth} onTrouble={setCame} />}
      <p className="o-public-links">
        <Link to="/forgot-password">{t('Forgot password?')}</Link>
        <Link to="/token">{t('Sign in with a code')}</Link>
        <Link to="/saml">{t('Single sign-on')}</Link>
      </p>
    </>
  )
}

function Notices({ isOauth, clientId }: { isOauth: boolean; clientId?: string }) {
  const connection = useConnection()
  const { endReason } = useSession()
  const name = useClientName(clientId)
  if (isOauth)
    return (
      <p className="o-public-lead">
        <strong>{name}</strong> {t('asks you to sign in. You go back to it afterwards.')}
      </p>
    )
  return (
    <>
      <p className="o-public-lead">{t('Welcome back.')}</p>
      {endReason && (
        <Alert
          type={endReason === 'logout' ? 'success' : 'warning'}
          showIcon
          role="status"
          className="o-form-error"
          title={t(farewells[endReason])}
        />
      )}
      {!connection.isOnline && (
        <Alert
          type="info"
          showIcon
          role="status"
          className="o-form-error"
          title={t('You are offline')}
          description={`${t(describeTrouble(connection))} ${t('You can sign in on this device if you have worked here before.')}`}
        />
      )}
    </>
  )
}

/** What the program that asks is called; its id until that is known. */
function useClientName(clientId: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['oauth-client', clientId],
    queryFn: ({ signal }) => call('auth.url', { params: { x: clientId ?? '' } }, { signal }),
    enabled: clientId !== undefined,
    retry: false,
  })
  return data?.data.name ?? clientId
}

function BrokenRequest() {
  return (
    <>
      <h1>{t('Sign in')}</h1>
      <Alert
        type="error"
        showIcon
        role="alert"
        title={t('This sign-in request is not complete')}
        description={t(
          'The application that sent you here left out its client id, its redirect address or its PKCE challenge (S256). Go back to it and try again.',
        )}
      />
    </>
  )
}

/** What comes after sign-in is fetched while the user types; fetched modules are kept, so asking again is free. */
function fetchAhead(): void {
  void Promise.allSettled([import('../layout/StandardLayout.tsx'), import('../layout/ScreenHost.tsx'), import('../../data/queries.ts')])
}

/** The OAuth parameters of the address; null when a needed one is missing. */
function oauthRequest(search: Record<string, unknown>): OauthRequest | null {
  const read = (...names: string[]): string | undefined => {
    const value = names.map((name) => search[name]).find((one) => one !== undefined && one !== '')
    return value === undefined ? undefined : String(value)
  }
  const [clientId, redirectUri] = [read('client_id', 'clientId'), read('redirect_uri', 'redirectUri')]
  const [codeChallenge, method] = [read('code_challenge', 'codeChallenge'), read('code_challenge_method', 'codeChallengeMethod')]
  // Without a method the standard (RFC 7636) takes "plain", which protects nothing.
  if (!clientId || !redirectUri || !codeChallenge || method !== 'S256') return null
  return { clientId, redirectUri, state: read('state'), codeChallenge, codeChallengeMethod: 'S256' }
}

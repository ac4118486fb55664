import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../data/calls.ts'
import { signInWithToken } from '../../session/actions.ts'
import { useSession } from '../../session/session.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { requestSignOut } from '../sign-out.ts'
import { StatusScreen } from '../StatusScreen.tsx'
import { t } from '../../session/labels.ts'

/** Signs in with a one-time code that another system or a mail gave the user. */
export function TokenScreen() {
  const search: { email?: unknown; token?: unknown; codeVerifier?: unknown } = useSearch({ strict: false })
  // The router reads a code of digits as a number.
  const given = { email: String(search.email ?? ''), token: String(search.token ?? ''), codeVerifier: String(search.codeVerifier ?? '') }
  const [form] = Form.useForm<{ email: string; token: string; codeVerifier: string }>()
  const { isBusy, error, submit } = useSubmission(form, async ({ email, token, codeVerifier }) => {
    await signInWithToken(email.trim(), token.trim(), codeVerifier.trim())
  })
  return (
    <>
      <h1>{t('Sign in with a code')}</h1>
      <p className="o-public-lead">{t('Enter the one-time code and the verifier you were given. The code works once.')}</p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="token" initialValues={given}>
        <Form.Item
          label={t('E-mail')}
          name="email"
          rules={[{ required: true, type: 'email', message: t('Enter a valid e-mail address.') }]}
        >
          <Input size="large" type="email" autoComplete="username" maxLength={254} autoFocus />
        </Form.Item>
        <Form.Item label={t('Code')} name="token" rules={[{ required: true, whitespace: true, message: t('Enter the code.') }]}>
          <Input size="large" autoComplete="one-time-code" spellCheck={false} />
        </Form.Item>
        <Form.Item
          label={t('Verifier')}
          name="codeVerifier"
          extra={t('The program that asked for the code made it, and shows it.')}
          rules={[{ required: true, whitespace: true, message: t('Enter the verifier.') }]}
        >
          <Input size="large" autoComplete="off" spellCheck={false} maxLength={200} />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Sign in')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">{t('Sign in with a password')}</Link>
      </p>
    </>
  )
}

/** Confirms a mail address or an account. A button, because mail scanners open links too. */
export function VerifyScreen() {
  const { userId, token }: { userId?: string; token?: string } = useParams({ strict: false })
  const [form] = Form.useForm<object>()
  const [isDone, setDone] = useState(false)
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async () => {
    const { data } = userId
      ? await call('auth.verification', { body: { userId, token: token ?? '' } })
      : await call('auth.verify', { body: { token: token ?? '' } })
    // An invited user has no password yet and chooses one next.
    if (typeof data.resetToken === 'string') await navigate({ to: '/reset-password/$token', params: { token: data.resetToken } })
    else setDone(true)
  })
  if (isDone) {
    return <StatusScreen drawing="done" title={t('Thank you, that is confirmed')} actions={<Link to="/login">{t('Sign in')}</Link>} />
  }
  return (
    <>
      <h1>{userId ? t('Confirm your account') : t('Confirm your e-mail address')}</h1>
      <p className="o-public-lead">
        {t(userId ? 'One click, and your account is confirmed.' : 'One click, and your address is confirmed.')}
      </p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="verify">
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Confirm')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">{t('Go to sign in')}</Link>
      </p>
    </>
  )
}

/** From the mail about a new device: ends every session, and a new password comes next. A button, because mail scanners open links too. */
export function NotMeScreen() {
  const { token }: { token?: string } = useParams({ strict: false })
  const [form] = Form.useForm<object>()
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async () => {
    const { data } = await call('auth.notMe', { body: { token: token ?? '' } })
    await navigate({ to: '/reset-password/$token', params: { token: String(data.resetToken) }, replace: true })
  })
  return (
    <>
      <h1>{t('Was this not you?')}</h1>
      <p className="o-public-lead">
        {t('All your sessions end now, on every device, and the old password stops working. You choose a new one next.')}
      </p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="not-me">
        <Button type="primary" danger htmlType="submit" size="large" block loading={isBusy}>
          {t('This was not me')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">{t('It was me: go to sign in')}</Link>
      </p>
    </>
  )
}

/** Signs out; asks first when changes of this device are not at the server yet. */
export function LogoutScreen() {
  const { phase } = useSession()
  const navigate = useNavigate()
  useEffect(() => {
    if (phase === 'out') void navigate({ to: '/login', replace: true })
    if (phase === 'in') void signOutOrGoBack()
    async function signOutOrGoBack(): Promise<void> {
      if (!(await requestSignOut())) await navigate({ to: '/' })
    }
  }, [phase, navigate])
  return <StatusScreen drawing="waiting" title={t('Signing you out')} />
}

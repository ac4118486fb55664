import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { StatusScreen } from '../StatusScreen.tsx'
import { t } from '../../session/labels.ts'

/** Asks for a link to choose a new password; the answer never says whether the address is known. */
export function ForgotPasswordScreen() {
  const [form] = Form.useForm<{ email: string }>()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { isBusy, error, submit } = useSubmission(form, async ({ email }) => {
    await call('auth.forgotPassword', { body: { email: email.trim() } })
    setSentTo(email.trim())
  })
  if (sentTo) {
    return (
      <StatusScreen drawing="done" title={t('Look into your mail')} actions={<Link to="/login">{t('Back to sign in')}</Link>}>
        <p>
          {t('If')} <strong>{sentTo}</strong>{' '}
          {t('belongs to a user, a link to choose a new password is on its way. It works once and for a short time.')}
        </p>
      </StatusScreen>
    )
  }
  return (
    <>
      <h1>{t('Forgot password')}</h1>
      <p className="o-public-lead">{t('Enter your e-mail address; we send you a link to choose a new password.')}</p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="forgot">
        <Form.Item
          label={t('E-mail')}
          name="email"
          rules={[{ required: true, type: 'email', message: t('Enter a valid e-mail address.') }]}
        >
          <Input size="large" type="email" autoComplete="email" autoFocus maxLength={254} />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Send the link')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">{t('Back to sign in')}</Link>
      </p>
    </>
  )
}

interface NewPassword {
  token?: string
  password: string
  again: string
}

/** Chooses a new password with the token of a mailed link, or with the code pasted at /update-password. */
export function ResetPasswordScreen() {
  const { token }: { token?: string } = useParams({ strict: false })
  const [form] = Form.useForm<NewPassword>()
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async (typed) => {
    await call('auth.resetPassword', { body: { token: token ?? typed.token?.trim() ?? '', password: typed.password ?? '' } })
    toast.success({ title: t('Password changed'), body: t('Sign in with your new password.') })
    await navigate({ to: '/login' })
  })
  return (
    <>
      <h1>{t('Choose a new password')}</h1>
      <p className="o-public-lead">
        {t('At least 15 characters. A sentence you remember is better than symbols. All your other sessions end.')}
      </p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="reset">
        {!token && (
          <Form.Item
            label={t('Code from the mail')}
            name="token"
            rules={[{ required: true, whitespace: true, message: t('Paste the code from the mail.') }]}
          >
            <Input size="large" autoComplete="one-time-code" spellCheck={false} autoFocus />
          </Form.Item>
        )}
        <NewPasswordFields />
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Change password')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">{t('Back to sign in')}</Link>
      </p>
    </>
  )
}

/** The new password, twice. Names: password, again. */
export function NewPasswordFields() {
  return (
    <>
      <Form.Item
        label={t('New password')}
        name="password"
        rules={[
          { required: true, message: t('Enter a new password.') },
          { min: 15, message: t('Use at least 15 characters.') },
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <Form.Item
        label={t('New password again')}
        name="again"
        dependencies={['password']}
        rules={[
          { required: true, message: t('Enter the new password again.') },
          ({ getFieldValue }) => ({
            validator: async (_, value: string) => {
              if (value && value !== getFieldValue('password')) throw new Error('The two passwords differ.')
            },
          }),
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" maxLength={128} />
      </Form.Item>
    </>
  )
}

import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { StatusScreen } from '../StatusScreen.tsx'

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
      <StatusScreen drawing="done" title="Look into your mail" actions={<Link to="/login">Back to sign in</Link>}>
        <p>
          If <strong>{sentTo}</strong> belongs to a user, a link to choose a new password is on its way. It works once and for a short time.
        </p>
      </StatusScreen>
    )
  }
  return (
    <>
      <h1>Forgot password</h1>
      <p className="o-public-lead">Enter your e-mail address; we send you a link to choose a new password.</p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="forgot">
        <Form.Item label="E-mail" name="email" rules={[{ required: true, type: 'email', message: 'Enter a valid e-mail address.' }]}>
          <Input size="large" type="email" autoComplete="email" autoFocus maxLength={254} />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          Send the link
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">Back to sign in</Link>
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
    toast.success({ title: 'Password changed', body: 'Sign in with your new password.' })
    await navigate({ to: '/login' })
  })
  return (
    <>
      <h1>Choose a new password</h1>
      <p className="o-public-lead">At least 15 characters. A sentence you remember is better than symbols. All your other sessions end.</p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="reset">
        {!token && (
          <Form.Item
            label="Code from the mail"
            name="token"
            rules={[{ required: true, whitespace: true, message: 'Paste the code from the mail.' }]}
          >
            <Input size="large" autoComplete="one-time-code" spellCheck={false} autoFocus />
          </Form.Item>
        )}
        <NewPasswordFields />
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          Change password
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">Back to sign in</Link>
      </p>
    </>
  )
}

/** The new password, twice. Names: password, again. */
export function NewPasswordFields() {
  return (
    <>
      <Form.Item
        label="New password"
        name="password"
        rules={[
          { required: true, message: 'Enter a new password.' },
          { min: 15, message: 'Use at least 15 characters.' },
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <Form.Item
        label="New password again"
        name="again"
        dependencies={['password']}
        rules={[
          { required: true, message: 'Enter the new password again.' },
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

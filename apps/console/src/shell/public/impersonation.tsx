import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { endImpersonation, impersonate } from '../../session/actions.ts'
import { useSession } from '../../session/session.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { StatusScreen } from '../StatusScreen.tsx'
import { t } from '../../session/labels.ts'

/** Asks before a session is swapped: the address alone (it may come from anywhere) never does it. */
export function ImpersonateScreen() {
  const { name = '' }: { name?: string } = useParams({ strict: false })
  const { phase, layout } = useSession()
  const [form] = Form.useForm<{ reason: string }>()
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async ({ reason }) => {
    const target = await impersonate(name, reason.trim())
    await navigate({ to: target.landing, replace: true })
  })
  if (phase !== 'in' || !layout) return <SignInFirst />
  if (layout.impersonation) {
    return (
      <StatusScreen
        drawing="locked"
        title={t('You already work as another user')}
        actions={<Link to="/end-impersonation">{t('End User Impersonation')}</Link>}
      >
        <p>{t('End it before you work as {{name}}.', { name })}</p>
      </StatusScreen>
    )
  }
  return (
    <>
      <h1>{t('Work as {{name}}?', { name })}</h1>
      <p className="o-public-lead">
        {t(
          'You see and do what {{name}} may. Everything is recorded under both names, {{name}} is told, and it ends by itself: a line at the top counts the minutes.',
          { name },
        )}
      </p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="impersonate">
        <Form.Item
          label={t('Reason')}
          name="reason"
          extra={t('Kept in the audit log.')}
          rules={[{ required: true, whitespace: true, min: 3, message: t('Say why, in at least 3 characters.') }]}
        >
          <Input.TextArea rows={3} maxLength={300} showCount autoFocus />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Work as {{name}}', { name })}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/">{t('Cancel')}</Link>
      </p>
    </>
  )
}

/** Goes back to the own session. */
export function EndImpersonationScreen() {
  const { phase, layout } = useSession()
  const navigate = useNavigate()
  const [error, setError] = useState<Error | null>(null)
  const isImpersonating = layout?.impersonation !== undefined
  useEffect(() => {
    if (!isImpersonating) return
    endImpersonation().then((own) => navigate({ to: own.landing, replace: true }), setError)
  }, [isImpersonating, navigate])
  if (phase !== 'in') return <SignInFirst />
  if (error)
    return (
      <>
        <h1>{t('End User Impersonation')}</h1>
        <FormError error={error} />
        <Link to="/logout">{t('Sign out instead')}</Link>
      </>
    )
  if (!isImpersonating)
    return <StatusScreen drawing="done" title={t('You work as yourself')} actions={<Link to="/">{t('Go to the start')}</Link>} />
  return <StatusScreen drawing="waiting" title={t('Going back to your own session')} />
}

function SignInFirst() {
  return (
    <StatusScreen drawing="locked" title={t('Sign in first')} actions={<Link to="/login">{t('Sign in')}</Link>}>
      <p>{t('This page is for signed-in users.')}</p>
    </StatusScreen>
  )
}

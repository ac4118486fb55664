import { Link, useNavigate } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { reloadLayout } from '../../session/enter.ts'
import { useSession } from '../../session/session.ts'
import { changeUnlockPassword } from '../../session/unlock/unlock.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { NewPasswordFields } from '../public/passwords.tsx'
import { StatusScreen } from '../StatusScreen.tsx'
import { t } from '../../session/labels.ts'

interface Passwords {
  oldPassword: string
  password: string
  again: string
}

/** Changes the own password; the data on this device stays readable, under the new one. */
export function ChangePasswordScreen() {
  const { layout } = useSession()
  const [form] = Form.useForm<Passwords>()
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async ({ oldPassword, password }) => {
    if (!layout) return
    await call('users.changePassword', { params: { id: layout.user.Id }, body: { oldPassword, password } })
    await changeUnlockPassword(layout.user.Id, oldPassword, password)
    toast.success({ title: t('Password changed'), body: t('Your other sessions have ended.') })
    if (!layout.mustChangePassword) return navigate({ to: '/profile' })
    await reloadLayout()
    await navigate({ href: layout.landing, replace: true })
  })
  if (layout?.impersonation) return <StatusScreen drawing="locked" title={t('Not possible while impersonating another user')} />
  return (
    <>
      <div className="o-page-head">
        <h1>{t('Change password')}</h1>
      </div>
      <section className="o-card o-cards">
        <div>
          {layout?.mustChangePassword && (
            <p role="status">
              <b>{t('Choose a password of your own first.')}</b> {t('Somebody else set the present one.')}
            </p>
          )}
          <p>{t('At least 15 characters. A sentence you remember is better than symbols.')}</p>
          <FormError error={error} />
          <Form noValidate form={form} {...formLook} onFinish={submit} name="change-password">
            <input
              type="text"
              autoComplete="username"
              value={layout?.user.emailAddress ?? ''}
              readOnly
              hidden
              aria-hidden="true"
              tabIndex={-1}
            />
            <Form.Item
              label={t('Present password')}
              name="oldPassword"
              rules={[{ required: true, message: t('Enter your present password.') }]}
            >
              <Input.Password size="large" autoComplete="current-password" maxLength={128} />
            </Form.Item>
            <NewPasswordFields />
            <Button type="primary" htmlType="submit" size="large" loading={isBusy}>
              {t('Change password')}
            </Button>
          </Form>
          {layout?.mustChangePassword && (
            <p>
              <Link to="/logout">{t('Sign out')}</Link>
            </p>
          )}
        </div>
      </section>
    </>
  )
}

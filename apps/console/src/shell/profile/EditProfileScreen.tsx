import { useNavigate } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { useSession } from '../../session/session.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { t } from '../../session/labels.ts'

interface Names {
  firstName: string
  lastName: string
}
// The specification's rule for names: 1 to 20 characters, no digits or special symbols.
const nameRules = (missing: string) => [
  { required: true, whitespace: true, message: missing },
  { pattern: /^[\p{L}\p{M}' .-]{1,20}$/u, message: t('1 to 20 letters, no digits or symbols.') },
]

/** Changes the user's own names; address and roles are an administrator's to change. */
export function EditProfileScreen() {
  const { frame, reloadFrame } = useSession()
  const [form] = Form.useForm<Names>()
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async (names) => {
    await call('users.updateProfile', { params: { id: frame?.user.Id ?? '' }, body: names })
    await reloadFrame()
    toast.success({ title: t('Profile saved') })
    await navigate({ to: '/profile' })
  })
  if (!frame) return null
  const { firstName, lastName } = frame.user
  return (
    <>
      <div className="o-page-head">
        <h1>{t('Edit profile')}</h1>
      </div>
      <section className="o-card o-cards">
        <div>
          <FormError error={error} />
          <Form noValidate form={form} {...formLook} onFinish={submit} name="profile" initialValues={{ firstName, lastName }}>
            <Form.Item label={t('First name')} name="firstName" rules={nameRules(t('Enter your first name.'))}>
              <Input autoComplete="given-name" maxLength={20} />
            </Form.Item>
            <Form.Item label={t('Last name')} name="lastName" rules={nameRules(t('Enter your last name.'))}>
              <Input autoComplete="family-name" maxLength={20} />
            </Form.Item>
            <Button type="primary" htmlType="submit" loading={isBusy}>
              {t('Save')}
            </Button>{' '}
            <Button onClick={() => void navigate({ to: '/profile' })}>{t('Cancel')}</Button>
          </Form>
        </div>
      </section>
    </>
  )
}

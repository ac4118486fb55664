import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { useSession } from '../../session/session.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { t } from '../../session/labels.ts'

interface Own {
  firstName: string
  lastName: string
  mobile?: string | null
  jobTitle?: string | null
}
interface Profile extends Own {
  Id: string
  version: number
}
/** The specification's rule for names, no digits or special symbols; a last name may be as long as the administration lets it be. */
const nameRules = (missing: string, most: 20 | 60) => [
  { required: true, whitespace: true, message: missing },
  {
    pattern: new RegExp(`^[\\p{L}\\p{M}' .-]{1,${most}}$`, 'u'),
    message: t(most === 20 ? '1 to 20 letters, no digits or symbols.' : '1 to 60 letters, no digits or symbols.'),
  },
]

/** Changes the user's own names, mobile number and job title; address and roles are an administrator's to change. */
export function EditProfileScreen() {
  const { layout } = useSession()
  const id = layout?.user.Id ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: ['profile', id],
    enabled: id !== '',
    staleTime: 0,
    queryFn: async () => (await call('users.me', { params: { id } })).data.user as unknown as Profile,
  })
  return (
    <>
      <div className="o-page-head">
        <h1>{t('Edit profile')}</h1>
      </div>
      <section className="o-card o-cards">
        {data ? (
          <EditProfile profile={data} />
        ) : error ? (
          <ErrorState error={error} what={t('Your profile')} onRetry={() => void refetch()} />
        ) : (
          <LoadingState rows={4} />
        )}
      </section>
    </>
  )
}

function EditProfile({ profile: { Id, version, firstName, lastName, mobile, jobTitle } }: { profile: Profile }) {
  const { reloadLayout } = useSession()
  const [form] = Form.useForm<Own>()
  const navigate = useNavigate()
  const { isBusy, error, submit } = useSubmission(form, async (own) => {
    await call('users.updateProfile', { params: { id: Id }, body: { ...own, version } })
    await reloadLayout()
    toast.success({ title: t('Profile saved') })
    await navigate({ to: '/profile' })
  })
  return (
    <div>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="profile" initialValues={{ firstName, lastName, mobile, jobTitle }}>
        <Form.Item label={t('First name')} name="firstName" rules={nameRules(t('Enter your first name.'), 20)}>
          <Input autoComplete="given-name" maxLength={20} />
        </Form.Item>
        <Form.Item label={t('Last name')} name="lastName" rules={nameRules(t('Enter your last name.'), 60)}>
          <Input autoComplete="family-name" maxLength={60} />
        </Form.Item>
        <Form.Item label={t('Mobile')} name="mobile">
          <Input autoComplete="tel" type="tel" maxLength={25} />
        </Form.Item>
        <Form.Item label={t('Job title')} name="jobTitle">
          <Input autoComplete="organization-title" maxLength={80} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={isBusy}>
          {t('Save')}
        </Button>{' '}
        <Button onClick={() => void navigate({ to: '/profile' })}>{t('Cancel')}</Button>
      </Form>
    </div>
  )
}

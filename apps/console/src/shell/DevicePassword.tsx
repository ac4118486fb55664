import { Button, Form, Input, Modal } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsoleLayout } from '@outpost/contract/console'
import { queryClient } from '../data/query-client.ts'
import { toast } from '../feedback/toast.ts'
import { reloadLayout } from '../session/enter.ts'
import { t } from '../session/labels.ts'
import { useSession } from '../session/session.ts'
import { changeSession } from '../session/store.ts'
import { deviceDoor, openWithDevicePassword, sealWithDevicePassword } from '../session/unlock/device-password.ts'
import { FormError, formLook, useSubmission } from './form.tsx'
import { NewPasswordFields } from './public/passwords.tsx'

/** After a sign-in without a password: a password for this device alone seals what it keeps, as the account's would, or opens what it kept before. */
export function DevicePassword() {
  const { layout, isAskingDevicePassword } = useSession()
  return layout && isAskingDevicePassword ? <Door layout={layout} /> : null
}

const close = (): void => changeSession({ isAskingDevicePassword: false })

function Door({ layout }: { layout: ConsoleLayout }) {
  const userId = layout.user.Id
  const { data: door } = useQuery({
    queryKey: ['device-door', userId],
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
    queryFn: () => deviceDoor(userId),
  })
  const [isAnew, setAnew] = useState(false)
  if (door === undefined || door === 'none') return null
  return <Question layout={layout} isNew={door === 'new' || isAnew} onForgotten={() => setAnew(true)} />
}

interface QuestionProps {
  layout: ConsoleLayout
  isNew: boolean
  onForgotten: () => void
}

function Question({ layout, isNew, onForgotten }: QuestionProps) {
  const [form] = Form.useForm<{ password: string }>()
  const { isBusy, error, submit } = useSubmission(form, async ({ password }) => {
    const { user, company, offlineDays } = layout
    const names = [user.emailAddress, user.userName].filter(Boolean)
    // What was read before is read anew, as only then it is kept.
    await queryClient.invalidateQueries({ refetchType: 'none' })
    await (isNew ? sealWithDevicePassword : openWithDevicePassword)(
      { userId: user.Id, companyId: company.Id, offlineDays, names },
      password,
    )
    // What works without a connection is kept from the first moment on.
    await reloadLayout()
    void queryClient.refetchQueries({ type: 'active' })
    close()
    toast.success({
      title: t('This device keeps your work'),
      body: t('Without a connection you sign in here with your e-mail and this password.'),
    })
  })
  return (
    <Modal
      open
      title={isNew ? t('Choose a password for this device') : t('Open what this device keeps')}
      okText={isNew ? t('Keep my work here') : t('Open it')}
      cancelText={t('Not now')}
      confirmLoading={isBusy}
      onOk={() => form.submit()}
      onCancel={close}
      destroyOnHidden
    >
      <p>
        {isNew
          ? t(
              'You signed in without a password, so this device keeps nothing yet: without a connection you could not work on it. A password for this device alone seals what it keeps. Nobody can reset it; with a connection you sign in as before.',
            )
          : t('You signed in without a password. What this device keeps is sealed with the password you used on it before.')}
      </p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="device-password">
        <input type="text" autoComplete="username" value={layout.user.emailAddress} readOnly hidden aria-hidden="true" tabIndex={-1} />
        {isNew ? (
          <NewPasswordFields />
        ) : (
          <Form.Item
            label={t('Password of this device')}
            name="password"
            rules={[{ required: true, message: t('Enter the password of this device.') }]}
          >
            <Input.Password size="large" autoComplete="current-password" maxLength={128} autoFocus />
          </Form.Item>
        )}
      </Form>
      {isNew ? null : (
        <Button type="link" onClick={onForgotten}>
          {t('I do not know it: begin with a new one')}
        </Button>
      )}
    </Modal>
  )
}

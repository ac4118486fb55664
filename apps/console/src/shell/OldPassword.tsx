import { Form, Input, Modal } from 'antd'
import { currentOffline } from '../offline/current.ts'
import { openSealedWork } from '../offline/store/sealed-work.ts'
import { noteSealed } from '../offline/session.ts'
import { changeSyncStatus, recount, useSyncStatus, describeSealed } from '../offline/sync/status.ts'
import { forgetPositions } from '../device/positions.ts'
import { toast } from '../feedback/toast.ts'
import { FormError, formLook, useSubmission } from './form.tsx'
import { t } from '../session/labels.ts'

/** After a password was set anew elsewhere: asks for the old one when unsent changes wait behind it. They stay until it is given. */
export function OldPassword() {
  const { sealed, isAskingOldPassword } = useSyncStatus()
  return sealed && isAskingOldPassword ? <Question words={describeSealed(sealed)} /> : null
}

function Question({ words }: { words: string }) {
  const [form] = Form.useForm<{ old: string }>()
  const close = (): void => changeSyncStatus({ isAskingOldPassword: false })
  const { isBusy, error, submit } = useSubmission(form, async ({ old }) => {
    await openSealedWork(old)
    forgetPositions()
    await Promise.all([noteSealed(), recount()])
    void currentOffline()?.loop.trigger('asked')
    close()
    toast.success({ title: t('Your changes are back'), body: t('They are sent now, as if you had made them under the new password.') })
  })
  return (
    <Modal
      open
      title={words}
      okText={t('Open them')}
      cancelText={t('Not now')}
      confirmLoading={isBusy}
      onOk={() => form.submit()}
      onCancel={close}
      destroyOnHidden
    >
      <p>
        {t(
          'Your password was set anew since. What you changed on this device before is locked with the old one, and nobody else can open it. It stays here until you do.',
        )}
      </p>
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="old-password">
        <Form.Item label={t('Old password')} name="old" rules={[{ required: true, message: t('Enter your old password.') }]}>
          <Input.Password size="large" autoComplete="off" maxLength={128} autoFocus />
        </Form.Item>
      </Form>
    </Modal>
  )
}

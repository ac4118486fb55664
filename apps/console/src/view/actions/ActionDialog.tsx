import { useState } from 'react'
import { Alert, Form, Modal } from 'antd'
import type { ActionView } from '@outpost/contract/views'
import { t } from '../../session/labels.ts'
import { useFieldForm } from '../kinds/form/useFieldForm.ts'
import { FormFields } from '../kinds/form/FormFields.tsx'
import { ErrorWords } from '../states/index.tsx'

interface ActionDialogProps {
  action: ActionView
  /** What it acts on, in words: a name, or "12 records". */
  subject: string
  /** Throws when the call is refused; the dialog then stays and says why. */
  run: (values: Record<string, unknown>) => Promise<void>
  onClose: () => void
}

/** Asks before an action: its question, its form, or both. */
export function ActionDialog({ action, subject, run, onClose }: ActionDialogProps) {
  const { form, record, start, place, toWire } = useFieldForm(action.form ?? [], undefined)
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const submit = async () => {
    setRunning(true)
    setError(undefined)
    try {
      await run(toWire())
      onClose()
    } catch (cause) {
      if (!place(cause)) setError(cause)
    } finally {
      setRunning(false)
    }
  }
  const fields = action.form ?? []
  return (
    <Modal
      open title={t(action.confirm?.title ?? action.label)} okText={t(action.label)} cancelText={t('Cancel')} confirmLoading={isRunning}
      okButtonProps={{ danger: action.danger, htmlType: 'button' }} onCancel={onClose} destroyOnHidden
      onOk={() => fields.length > 0 ? form.submit() : void submit()}
    >
      <p className="view-dialog-subject">{subject}</p>
      {action.confirm?.body ? <p>{t(action.confirm.body)}</p> : null}
      {fields.length > 0 ? (
        <Form noValidate form={form} initialValues={start} layout="vertical" requiredMark onFinish={() => void submit()} scrollToFirstError={{ focus: true }}>
          <FormFields fields={fields} rows={fields.map((field) => [field.key])} record={record} />
        </Form>
      ) : null}
      {error === undefined ? null : <Alert type="error" showIcon title={<ErrorWords error={error} />} role="alert" />}
    </Modal>
  )
}

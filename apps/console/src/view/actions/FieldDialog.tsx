import { useState } from 'react'
import { Alert, Form, Modal } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import { t } from '../../session/labels.ts'
import { useFieldForm } from '../kinds/form/useFieldForm.ts'
import { FormFields } from '../kinds/form/FormFields.tsx'
import type { Warned } from './useWarning.ts'
import { Warning } from './Warning.tsx'
import { ErrorText } from '../states/index.tsx'

interface FieldDialogProps {
  title: string
  okText: string
  fields: readonly FieldView[]
  /** What the fields begin with. */
  base?: Record<string, unknown>
  question?: string
  /** What is to be known before, from the server. */
  warned?: Warned | undefined
  isDanger?: boolean
  /** What it acts on, in words: a name, or "12 records". */
  subject: string
  /** Throws when the call is refused; the dialog then stays and says why. */
  run: (values: Record<string, unknown>) => Promise<void>
  onClose: () => void
}

/** Asks for a few fields, or a question, before something is done; stays and says why when it is refused. */
export function FieldDialog({ title, okText, fields, base, question, warned, isDanger, subject, run, onClose }: FieldDialogProps) {
  const { form, record, start, place, toWire } = useFieldForm(fields, base)
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const submit = async () => {
    const sentFrom = document.activeElement
    setRunning(true)
    setError(undefined)
    try {
      await run(toWire())
      onClose()
    } catch (cause) {
      if (!place(cause, sentFrom)) setError(cause)
    } finally {
      setRunning(false)
    }
  }
  return (
    <Modal
      open
      title={title}
      okText={okText}
      cancelText={t('Cancel')}
      confirmLoading={isRunning}
      okButtonProps={{ danger: isDanger, htmlType: 'button' }}
      onCancel={onClose}
      destroyOnHidden
      onOk={() => (fields.length > 0 ? form.submit() : void submit())}
    >
      <p className="view-dialog-subject">{subject}</p>
      {question ? <p>{question}</p> : null}
      {warned ? <Warning warned={warned} /> : null}
      {fields.length > 0 ? (
        <Form
          noValidate
          form={form}
          initialValues={start}
          layout="vertical"
          requiredMark
          onFinish={() => void submit()}
          scrollToFirstError={{ focus: true }}
        >
          <FormFields fields={fields} rows={fields.map((field) => [field.key])} record={record} />
        </Form>
      ) : null}
      {error === undefined ? null : <Alert type="error" showIcon title={<ErrorText error={error} />} role="alert" />}
    </Modal>
  )
}

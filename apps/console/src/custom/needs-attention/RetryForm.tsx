import { Button, Form, Input } from 'antd'
import type { Row } from '../../data/records.ts'
import { keptKind } from '../../offline/kinds.ts'
import type { Attention } from '../../offline/store/shapes.ts'
import { t } from '../../session/labels.ts'
import { editableFields, labelOf } from './texts.ts'

interface RetryProps {
  attention: Attention
  isBusy: boolean
  onSend: (values: Row) => void
  onCancel: () => void
}

/** Corrects the values of a refused change before it is sent again. */
export function RetryForm({ attention, isBusy, onSend, onCancel }: RetryProps) {
  const [form] = Form.useForm<Row>()
  const fields = editableFields(attention)
  const needed = new Set(keptKind(attention.entityType)?.required)
  return (
    <Form
      noValidate
      form={form}
      layout="vertical"
      initialValues={attention.mine}
      onFinish={(values) => onSend({ ...attention.mine, ...values })}
      requiredMark={false}
      className="na-form"
    >
      {fields.map((field, index) => (
        <Form.Item
          key={field}
          name={field}
          label={t(labelOf(attention, field))}
          rules={needed.has(field) ? [{ required: true, message: t('This field is needed.') }] : []}
        >
          <Input autoFocus={index === 0} autoComplete="off" />
        </Form.Item>
      ))}
      <div className="na-buttons">
        <Button type="primary" htmlType="submit" loading={isBusy}>
          {t('Send again')}
        </Button>
        <Button onClick={onCancel}>{t('Back')}</Button>
      </div>
    </Form>
  )
}

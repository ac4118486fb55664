import { Checkbox, Form, Input, Modal, Select } from 'antd'
import { t } from '../../../../session/labels.ts'
import { shareLabels } from './saved-views.ts'
import type { SavedViewInput, ShareScope } from './saved-views.ts'

interface SaveViewDialogProps {
  title: string
  start: SavedViewInput
  /** Views that others see are an administrator's to make. */ mayShare: boolean
  isSaving: boolean
  onSave: (input: SavedViewInput) => void
  onClose: () => void
}

const scopes = Object.entries(shareLabels) as [ShareScope, string][]

/** Name, who sees it, and whether the list opens with it. */
export function SaveViewDialog({ title, start, mayShare, isSaving, onSave, onClose }: SaveViewDialogProps) {
  const [form] = Form.useForm<Omit<SavedViewInput, 'state'>>()
  return (
    <Modal open title={t(title)} okText={t('Save')} confirmLoading={isSaving} onOk={form.submit} onCancel={onClose} destroyOnHidden>
      <Form
        noValidate
        form={form}
        layout="vertical"
        initialValues={{ name: start.name, scope: start.scope, isDefault: start.isDefault }}
        onFinish={(values) => onSave({ ...values, name: values.name.trim(), state: start.state })}
      >
        <Form.Item
          name="name"
          label={t('Name')}
          rules={[
            { required: true, whitespace: true, message: t('Name is required') },
            { max: 60, message: t('Name may hold 60 characters at most') },
          ]}
        >
          <Input autoFocus maxLength={60} autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="scope"
          label={t('Who sees it')}
          extra={
            mayShare
              ? undefined
              : t('An administrator shows views to a whole role, tenant or company. “Share with…” is for colleagues by name.')
          }
        >
          <Select disabled={!mayShare} options={scopes.map(([value, label]) => ({ value, label: t(label) }))} />
        </Form.Item>
        <Form.Item name="isDefault" valuePropName="checked">
          <Checkbox>{t('Open the list with this view')}</Checkbox>
        </Form.Item>
      </Form>
    </Modal>
  )
}

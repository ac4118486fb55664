import { Form, Input } from 'antd'
import { t } from '../../session/labels.ts'

/** Where a code of the authenticator goes; keyboards and password managers know what it is. */
export function CodeField({ isNew = false, hasFocus = false }: { isNew?: boolean; hasFocus?: boolean }) {
  return (
    <Form.Item
      label={isNew ? t('Code of the authenticator') : t('Code of the authenticator, or a recovery code')}
      name="code"
      rules={[{ required: true, whitespace: true, message: t('Enter the code.') }]}
    >
      <Input
        size="large"
        autoComplete="one-time-code"
        inputMode={isNew ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={hasFocus}
        maxLength={40}
      />
    </Form.Item>
  )
}

import { Input } from 'antd'
import { checkLength, forInput } from '../plain.tsx'
import type { FieldKindView, InputProps } from '../types.ts'
import { t } from '../../../session/labels.ts'

const PasswordInput = (props: InputProps) => (
  <Input.Password
    {...forInput(props)}
    autoComplete="new-password"
    value={String(props.value ?? '')}
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)
const PasswordCell = () => <span aria-label={t('hidden')}>••••••</span>

/** A secret: never shown, never kept in drafts. */
export const password: FieldKindView = {
  Input: PasswordInput,
  Cell: PasswordCell,
  text: () => '••••••',
  width: 100,
  check: checkLength,
  toWire: (value) => (value ? String(value) : undefined),
}

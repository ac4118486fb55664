import { Input } from 'antd'
import { isEmail } from '@outpost/rules/validation'
import { forInput, plainText, trimmed } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const EmailInput = (props: InputProps) => (
  <Input
    {...forInput(props)}
    type="email"
    inputMode="email"
    autoComplete="off"
    value={String(props.value ?? '')}
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)
const EmailCell = ({ value }: CellProps) => <a href={`mailto:${String(value)}`}>{String(value)}</a>

/** An e-mail address. */
export const email: FieldKindView = {
  ...plainText,
  Input: EmailInput,
  Cell: EmailCell,
  width: 220,
  toWire: trimmed,
  check: (value) => (isEmail(String(value).trim()) ? undefined : 'is not an e-mail address: write it like name@example.com'),
}

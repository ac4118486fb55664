import { Input } from 'antd'
import { checkLength, forInput, plainText, trimmed } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const LongTextInput = (props: InputProps) => (
  <Input.TextArea
    {...forInput(props)}
    value={props.value === undefined || props.value === null ? '' : String(props.value)}
    maxLength={props.field.maxLength}
    showCount={props.field.maxLength !== undefined}
    autoSize={{ minRows: 3, maxRows: 12 }}
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)
const LongTextCell = ({ value }: CellProps) => <span className="field-long">{String(value)}</span>

/** Several lines of text. */
export const longText: FieldKindView = {
  ...plainText,
  Input: LongTextInput,
  Cell: LongTextCell,
  check: checkLength,
  toWire: trimmed,
  width: 280,
  isWide: true,
}

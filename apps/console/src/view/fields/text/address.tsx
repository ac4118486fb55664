import { Input } from 'antd'
import { forInput, plainText, trimmed } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const AddressInput = (props: InputProps) => (
  <Input.TextArea
    {...forInput(props)}
    autoSize={{ minRows: 2, maxRows: 5 }}
    value={lines(props.value)}
    autoComplete="off"
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)
const AddressCell = ({ value }: CellProps) => <span className="field-long">{lines(value)}</span>

/** An address may come as text or as its parts. */
function lines(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.values(value)
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ')
}

/** A postal address. */
export const address: FieldKindView = { ...plainText, Input: AddressInput, Cell: AddressCell, text: lines, width: 240, toWire: trimmed }

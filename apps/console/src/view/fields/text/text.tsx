import { Input } from 'antd'
import { checkLength, forInput, plainText, trimmed } from '../plain.tsx'
import type { FieldKindView, InputProps } from '../types.ts'

const TextInput = (props: InputProps) => (
  <Input
    {...forInput(props)}
    value={props.value === undefined || props.value === null ? '' : String(props.value)}
    maxLength={props.field.maxLength}
    autoComplete="off"
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)

/** One line of text. */
export const text: FieldKindView = { ...plainText, Input: TextInput, check: checkLength, toWire: trimmed }

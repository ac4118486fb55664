import { Input } from 'antd'
import { formatPhone } from '../phone.ts'
import { forInput, plainText, trimmed } from './plain.tsx'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

const PhoneInput = (props: InputProps) => (
  <Input
    {...forInput(props)} type="tel" inputMode="tel" autoComplete="off" value={String(props.value ?? '')}
    placeholder="0712345678" onChange={(event) => props.onChange?.(event.target.value)}
  />
)
const PhoneCell = ({ value }: CellProps) => <a className="field-digits" href={`tel:${String(value).replace(/[^+\d]/g, '')}`}>{formatPhone(value)}</a>

/** A telephone number: 0 and nine digits, or with the country's code. */
export const phone: FieldKindView = {
  ...plainText, Input: PhoneInput, Cell: PhoneCell, text: (value) => formatPhone(value), width: 160, toWire: trimmed,
  check: (value) => isPhone(String(value)) ? undefined : 'is not a phone number: 0 followed by 9 digits, or +country code',
}

function isPhone(value: string): boolean {
  const digits = value.replace(/[ ()-]/g, '')
  return /^0\d{9}$/.test(digits) || /^\+[1-9]\d{7,14}$/.test(digits) || /^(254|255|256|260|27)\d{9}$/.test(digits)
}

import { Input } from 'antd'
import { formatPhone } from '../../phone.ts'
import { forInput, plainText, trimmed } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const PhoneInput = (props: InputProps) => (
  <Input
    {...forInput(props)}
    type="tel"
    inputMode="tel"
    autoComplete="off"
    value={String(props.value ?? '')}
    placeholder="0712345678"
    onChange={(event) => props.onChange?.(event.target.value)}
  />
)
/** Where one calls with the same device a number is a link; beside a mouse it would be one more target in the way. */
const isTouched = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches
const PhoneCell = ({ value }: CellProps) =>
  isTouched ? (
    <a className="field-digits" href={`tel:${String(value).replace(/[^+\d]/g, '')}`}>
      {formatPhone(value)}
    </a>
  ) : (
    <span className="field-digits">{formatPhone(value)}</span>
  )

/** A telephone number: 0 and nine digits, or with the country's code. */
export const phone: FieldKindView = {
  ...plainText,
  Input: PhoneInput,
  Cell: PhoneCell,
  text: (value) => formatPhone(value),
  width: 160,
  toWire: trimmed,
  check: (value) => (isPhone(String(value)) ? undefined : 'is not a phone number: 0 followed by 9 digits, or +country code'),
}

function isPhone(value: string): boolean {
  const digits = value.replace(/[ ()-]/g, '')
  return /^0\d{9}$/.test(digits) || /^\+[1-9]\d{7,14}$/.test(digits) || /^(254|255|256|260|27)\d{9}$/.test(digits)
}

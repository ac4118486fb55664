import { Input } from 'antd'
import { isIdNumber } from '@outpost/rules/validation'
import { useCompany } from '../company.ts'
import { forInput, plainText, trimmed } from './plain.tsx'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

const IdNumberInput = (props: InputProps) => {
  const { country } = useCompany()
  return (
    <Input
      {...forInput(props)} inputMode="numeric" autoComplete="off" value={String(props.value ?? '')} maxLength={20}
      placeholder={country === 'ZA' ? '13 digits' : undefined} onChange={(event) => props.onChange?.(event.target.value)}
    />
  )
}
const IdNumberCell = ({ value }: CellProps) => <span className="field-digits">{String(value)}</span>

/** A national identity number: digits; how many depends on the country, the server has the last word. */
export const idNumber: FieldKindView = {
  ...plainText, Input: IdNumberInput, Cell: IdNumberCell, width: 160, toWire: trimmed,
  check: (value) => ['KE', 'ZM', 'TZ', undefined].some((country) => isIdNumber(String(value).trim(), country)) ? undefined : 'is not an identity number',
}

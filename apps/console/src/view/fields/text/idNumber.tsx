import { t } from '../../../session/labels.ts'
import { Input } from 'antd'
import { idNumberLength, isIdNumber } from '@outpost/rules/validation'
import { useCompany } from '../../company.ts'
import { forInput, plainText, trimmed } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const IdNumberInput = (props: InputProps) => {
  const { country } = useCompany()
  return (
    <Input
      {...forInput(props)}
      inputMode="numeric"
      autoComplete="off"
      value={String(props.value ?? '')}
      maxLength={20}
      placeholder={t(idNumberLength(country).words)}
      onChange={(event) => props.onChange?.(event.target.value)}
    />
  )
}
const IdNumberCell = ({ value }: CellProps) => <span className="field-digits">{String(value)}</span>

/** A national identity number: digits; how many depends on the country. */
export const idNumber: FieldKindView = {
  ...plainText,
  Input: IdNumberInput,
  Cell: IdNumberCell,
  width: 160,
  toWire: trimmed,
  check: (value, _, country) =>
    isIdNumber(String(value).trim(), country) ? undefined : t('must be {{words}}', { words: t(idNumberLength(country).words) }),
}

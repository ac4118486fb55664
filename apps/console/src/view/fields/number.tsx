import { InputNumber } from 'antd'
import { formatNumber } from '../formats.ts'
import { forInput } from './plain.tsx'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

const NumberInput = ({ suffix, ...props }: InputProps & { suffix?: string }) => (
  <InputNumber
    {...forInput(props)} className="field-wide" value={props.value as number | null} controls={false} suffix={suffix}
    inputMode="decimal" onChange={(value) => props.onChange?.(value)}
  />
)
const NumberCell = ({ value }: CellProps) => <span className="field-digits">{formatNumber(value)}</span>

/** Words for a number outside the limits of its field. */
export function checkRange(value: unknown, { min, max }: { min?: number, max?: number }): string | undefined {
  const number = Number(value)
  if (!Number.isFinite(number)) return 'must be a number'
  if (min !== undefined && number < min) return `may not be under ${min}`
  if (max !== undefined && number > max) return `may not be over ${max}`
  return undefined
}

/** A number. */
export const number: FieldKindView = {
  Input: NumberInput, Cell: NumberCell, text: formatNumber, width: 110, align: 'right', check: checkRange,
  toWire: (value) => value === '' || value === undefined || value === null ? null : Number(value),
}
export { NumberInput }

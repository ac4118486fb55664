import { t } from '../../../session/labels.ts'
import { lazy } from 'react'
import { formatNumber } from '../../formats.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const NumberInput = lazy(async () => ({ default: (await import('../inputs/number-input.tsx')).NumberInput }))
/** A field that holds years alone: nobody writes 2,026. */
const isYear = ({ min = 0, max = Infinity }: CellProps['field']) => min >= 1_000 && max <= 9_999
const numberText: FieldKindView['text'] = (value, { field }) => (isYear(field) ? String(value) : formatNumber(value))

const NumberCell = ({ value, ...parts }: CellProps) => <span className="field-digits">{numberText(value, parts)}</span>

/** Words for a number outside the limits of its field. */
export function checkRange(value: unknown, { min, max }: { min?: number; max?: number }): string | undefined {
  const number = Number(value)
  if (!Number.isFinite(number)) return 'must be a number'
  if (min !== undefined && number < min) return t('may not be under {{min}}', { min })
  if (max !== undefined && number > max) return t('may not be over {{max}}', { max })
  return undefined
}

/** A number. */
export const number: FieldKindView = {
  Input: NumberInput,
  Cell: NumberCell,
  text: numberText,
  width: 110,
  besideText: 0,
  align: 'right',
  check: checkRange,
  toWire: (value) => (value === '' || value === undefined || value === null ? null : Number(value)),
}
export { NumberInput }

import { t } from '../../../session/labels.ts'
import { lazy } from 'react'
import { formatNumber } from '../../formats.ts'
import type { CellProps, FieldKindView } from '../types.ts'

const NumberInput = lazy(async () => ({ default: (await import('../inputs/number-input.tsx')).NumberInput }))
const NumberCell = ({ value }: CellProps) => <span className="field-digits">{formatNumber(value)}</span>

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
  text: formatNumber,
  width: 110,
  besideText: 0,
  align: 'right',
  check: checkRange,
  toWire: (value) => (value === '' || value === undefined || value === null ? null : Number(value)),
}
export { NumberInput }

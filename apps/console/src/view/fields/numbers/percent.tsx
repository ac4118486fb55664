import { formatNumber } from '../../formats.ts'
import { checkRange, number, NumberInput } from './number.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const PercentInput = (props: InputProps) => <NumberInput {...props} suffix="%" />
const PercentCell = ({ value }: CellProps) => <span className="field-digits">{formatNumber(value)} %</span>

/** A share of a hundred. */
export const percent: FieldKindView = {
  ...number,
  Input: PercentInput,
  Cell: PercentCell,
  text: (value) => `${formatNumber(value)} %`,
  check: (value, { min = 0, max = 100 }) => checkRange(value, { min, max }),
}

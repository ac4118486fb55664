import { formatMoney } from '../formats.ts'
import { useCompany } from '../company.ts'
import { checkRange, number, NumberInput } from './number.tsx'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

const MoneyInput = (props: InputProps) => <NumberInput {...props} suffix={useCompany().currency} />
const MoneyCell = ({ value, currency }: CellProps) => <span className="field-digits">{formatMoney(value, currency)}</span>

/** An amount in the company's currency, two decimals. */
export const money: FieldKindView = {
  ...number, Input: MoneyInput, Cell: MoneyCell, width: 140, text: (value, { currency }) => formatMoney(value, currency),
  check: (value, field) => checkRange(value, field) ?? (/^-?\d+(\.\d{1,2})?$/.test(String(value)) ? undefined : 'may hold two decimals at most'),
}

import type { FieldView } from '@outpost/contract/fields'
import { amountFault, currencyOf, fitsDecimals } from '@outpost/rules/currency'
import { formatMoney } from '../../formats.ts'
import { useCompany } from '../../company.ts'
import { checkRange, number, NumberInput } from './number.tsx'
import type { CellProps, FieldKindView, InputProps, RecordValues } from '../types.ts'

const MoneyInput = (props: InputProps) => {
  const { currency } = useCompany()
  return <NumberInput {...props} suffix={currencyOf(props.field.currency, props.record, currency)} />
}
const MoneyCell = ({ field, value, record, currency }: CellProps) => (
  <span className="field-digits">{formatMoney(value, currencyOf(field.currency, record, currency))}</span>
)

/** Why an amount does not do. Where the field says its currency, that says how many decimals there are. */
function checkDecimals(
  value: unknown,
  field: FieldView,
  { record, currency = '' }: { record?: RecordValues; currency?: string },
): string | undefined {
  if (field.currency === undefined) return fitsDecimals(value, 2) ? undefined : 'may hold two decimals at most'
  return amountFault(value, currencyOf(field.currency, record, currency))
}

/** An amount of money, in the decimals of its currency. */
export const money: FieldKindView = {
  ...number,
  Input: MoneyInput,
  Cell: MoneyCell,
  width: 140,
  text: (value, { field, record, currency }) => formatMoney(value, currencyOf(field.currency, record, currency)),
  check: (value, field, _, parts = {}) => checkRange(value, field) ?? checkDecimals(value, field, parts),
}

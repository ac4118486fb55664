import { InputNumber } from 'antd'
import { forInput } from '../plain.tsx'
import { groupedAmount } from '../parts/grouped.ts'
import type { InputProps } from '../types.ts'

/** A number, typed; `suffix` names its unit. An amount of money shows its thousands. */
export const NumberInput = ({ suffix, ...props }: InputProps & { suffix?: string }) => (
  <InputNumber
    {...forInput(props)}
    {...(props.field.kind === 'money' ? groupedAmount : {})}
    className="field-wide"
    value={props.value as number | null}
    controls={false}
    suffix={suffix}
    inputMode="decimal"
    onChange={(value) => props.onChange?.(value)}
  />
)

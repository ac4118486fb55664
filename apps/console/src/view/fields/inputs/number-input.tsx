import { InputNumber } from 'antd'
import { forInput } from '../plain.tsx'
import type { InputProps } from '../types.ts'

/** A number, typed; `suffix` names its unit. */
export const NumberInput = ({ suffix, ...props }: InputProps & { suffix?: string }) => (
  <InputNumber
    {...forInput(props)} className="field-wide" value={props.value as number | null} controls={false} suffix={suffix}
    inputMode="decimal" onChange={(value) => props.onChange?.(value)}
  />
)

import { ColorPicker, Input, Space } from 'antd'
import { forInput } from '../plain.tsx'
import type { InputProps } from '../types.ts'

/** A colour by picker or by typing. */
export const ColourInput = (props: InputProps) => (
  <Space.Compact>
    <ColorPicker
      disabledAlpha
      format="hex"
      disabled={props.disabled}
      value={String(props.value ?? '#1f7a8c')}
      onChangeComplete={(colour) => props.onChange?.(colour.toHexString())}
    />
    <Input
      {...forInput(props)}
      value={String(props.value ?? '')}
      placeholder="#1f7a8c"
      onChange={(event) => props.onChange?.(event.target.value)}
    />
  </Space.Compact>
)

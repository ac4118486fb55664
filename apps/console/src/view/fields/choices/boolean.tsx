import { Checkbox, Tag } from 'antd'
import { t } from '../../../session/labels.ts'
import { forInput } from '../plain.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

const isTrue = (value: unknown) => value === true || value === 1 || value === 'true'

const BooleanInput = ({ 'aria-required': _required, ...props }: InputProps) => (
  <Checkbox {...forInput(props)} checked={isTrue(props.value)} onChange={(event) => props.onChange?.(event.target.checked)}>
    {t(props.field.label)}
  </Checkbox>
)
const BooleanCell = ({ value }: CellProps) => (
  <Tag variant="filled" className={isTrue(value) ? 'tag-good' : 'tag-quiet'}>
    {t(isTrue(value) ? 'Yes' : 'No')}
  </Tag>
)

/** Yes or no. */
export const boolean: FieldKindView = {
  Input: BooleanInput,
  Cell: BooleanCell,
  text: (value) => t(isTrue(value) ? 'Yes' : 'No'),
  width: 130,
  besideText: 8,
  isSelfLabelled: true,
  toWire: isTrue,
}

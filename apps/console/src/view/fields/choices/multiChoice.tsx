import { Select } from 'antd'
import { t } from '../../../session/labels.ts'
import { isMatch, optionOf } from './choice.tsx'
import { selectOptions } from './pictures.tsx'
import { forInput } from '../plain.tsx'
import { Label, tagClass } from '../parts/tag.tsx'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value]

const MultiChoiceInput = (props: InputProps) => (
  <Select
    {...forInput(props)}
    mode="multiple"
    className="field-wide"
    allowClear
    options={selectOptions(props.field.options)}
    placeholder={t('Choose')}
    showSearch={{ filterOption: isMatch }}
    maxTagCount="responsive"
    value={listOf(props.value).map(String)}
    onChange={(values: string[]) => props.onChange?.(values)}
  />
)
const MultiChoiceCell = ({ field, value }: CellProps) => (
  <span className="field-tags">
    {listOf(value).map((one) => (
      <Label key={String(one)} className={tagClass(optionOf(field, one)?.colour)}>
        {t(optionOf(field, one)?.label ?? String(one))}
      </Label>
    ))}
  </span>
)

/** Any number of options. */
export const multiChoice: FieldKindView = {
  Input: MultiChoiceInput,
  Cell: MultiChoiceCell,
  width: 200,
  toWire: listOf,
  text: (value, { field }) =>
    listOf(value)
      .map((one) => t(optionOf(field, one)?.label ?? String(one)))
      .join(', '),
}

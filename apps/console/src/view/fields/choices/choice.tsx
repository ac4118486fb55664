import { Select } from 'antd'
import { t } from '../../../session/labels.ts'
import { Label, tagClass } from '../parts/tag.tsx'
import { Picture, pictureSelect } from './pictures.tsx'
import { forInput } from '../plain.tsx'
import type { FieldView, Option } from '@outpost/contract/fields'
import type { CellProps, FieldKindView, InputProps, RecordValues } from '../types.ts'

export const optionOf = (field: FieldView, value: unknown): Option | undefined =>
  field.options?.find((option) => option.value === String(value))

const isMatch = (input: string, option?: { label: string }) => option?.label.toLowerCase().includes(input.trim().toLowerCase()) ?? false

const ChoiceInput = (props: InputProps) => (
  <Select
    {...forInput(props)}
    className="field-wide"
    allowClear={!props.field.required}
    {...pictureSelect(props.field.options ?? [])}
    showSearch={(props.field.options?.length ?? 0) > 7 ? { filterOption: isMatch } : false}
    {...(props.defaultOpen ? { popupMatchSelectWidth: false } : {})}
    placeholder={t('Choose')}
    value={props.value === undefined || props.value === null || props.value === '' ? undefined : String(props.value)}
    onChange={(value?: string) => props.onChange?.(value ?? null)}
  />
)

/** An option that the view does not know any more: the record's own word for it, else what it holds. */
const wordOf = ({ key }: FieldView, value: unknown, record: RecordValues | undefined) => String(record?.[`${key}Label`] ?? value)

const ChoiceCell = ({ field, value, record }: CellProps) => {
  const option = optionOf(field, value)
  return (
    <Label className={tagClass(option?.colour)}>
      {option?.picture ? <Picture name={option.picture} /> : null}
      {t(option?.label ?? wordOf(field, value, record))}
    </Label>
  )
}

/** One of several options. Options that are whole numbers belong to a number column. */
export const choice: FieldKindView = {
  Input: ChoiceInput,
  Cell: ChoiceCell,
  width: 165,
  besideText: 8,
  text: (value, { field, record }) => t(optionOf(field, value)?.label ?? wordOf(field, value, record)),
  toWire: (value, field) =>
    value === undefined || value === null || value === '' ? null : hasNumbers(field) ? Number(value) : String(value),
}

const hasNumbers = (field: FieldView) =>
  field.options !== undefined && field.options.length > 0 && field.options.every((option) => /^-?\d+$/.test(option.value))
export { isMatch }

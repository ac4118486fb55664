import { Suspense } from 'react'
import { Select, Skeleton } from 'antd'
import type { FilterOperator, FilterTerm } from '@outpost/contract/envelope'
import type { FieldKind, FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { fieldKindView } from '../../../fields/index.ts'
import { isBlank } from '../../../formats.ts'
import { firstOperator, needsValue, operatorLabel, takesMany } from './filter-terms.ts'

/** A condition while it is being entered; its value may be missing. */
export interface DraftTerm {
  field: string
  op: FilterOperator
  value?: unknown
}

/** The condition offered first: the first field with its first operator. */
export function newTerm(view: Pick<ListView, 'filters'>, key = view.filters[0]?.key ?? ''): DraftTerm {
  return { field: key, op: firstOperator(view.filters.find((one) => one.key === key)?.operators ?? []) }
}

export const isWhole = ({ field, op, value }: DraftTerm): boolean => field !== '' && (!needsValue(op) || !isBlank(value))

export const termOf = ({ field, op, value }: DraftTerm): FilterTerm => ({
  field,
  op,
  ...(needsValue(op) ? { value: value as FilterTerm['value'] } : {}),
})

interface TermFieldsProps {
  id: string
  view: ListView
  term: DraftTerm
  onChange: (term: DraftTerm) => void
  autoFocus?: boolean
}

/** Field, operator and value of one condition; the input is that of the field's kind. */
export function TermFields({ id, view, term: { field: key, op, value }, onChange, autoFocus = false }: TermFieldsProps) {
  const filter = view.filters.find((one) => one.key === key)
  const field = view.fields.find((one) => one.key === key) ?? { key, kind: 'text', label: key }
  const input = asked(field, op)
  const { Input } = fieldKindView(input.kind)
  return (
    <>
      <label htmlFor={`${id}-field`}>{t('Field')}</label>
      <Select
        id={`${id}-field`}
        value={key}
        onChange={(next) => onChange(newTerm(view, next))}
        autoFocus={autoFocus}
        showSearch={{ optionFilterProp: 'label' }}
        options={view.filters.map((one) => ({
          value: one.key,
          label: t(view.fields.find((other) => other.key === one.key)?.label ?? one.key),
        }))}
      />
      <label htmlFor={`${id}-operator`}>{t('Condition')}</label>
      <Select
        id={`${id}-operator`}
        value={op}
        onChange={(next) => onChange({ field: key, op: next, ...(takesMany(next) === takesMany(op) ? { value } : {}) })}
        options={(filter?.operators ?? []).map((one) => ({ value: one, label: t(operatorLabel(one, field.kind)) }))}
      />
      {needsValue(op) ? (
        <>
          <label htmlFor={`${id}-value`}>{t('Value')}</label>
          <Suspense fallback={<Skeleton.Input active block />}>
            <Input
              key={`${key} ${op}`}
              id={`${id}-value`}
              field={input}
              value={value}
              onChange={(next) => onChange({ field: key, op, value: next })}
              aria-label={t('Value')}
            />
          </Suspense>
        </>
      ) : null}
    </>
  )
}

const many: Partial<Record<FieldKind, FieldKind>> = { choice: 'multiChoice', reference: 'multiReference' }
const single: Partial<Record<FieldKind, FieldKind>> = {
  multiChoice: 'choice',
  multiReference: 'reference',
  tags: 'text',
  longText: 'text',
  email: 'text',
  phone: 'text',
  idNumber: 'text',
  address: 'text',
  personName: 'text',
  dateTime: 'date',
  boolean: 'choice',
}
const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** The field whose input asks for the value: several values, a part of a text, or a whole day need another one. */
function asked(field: FieldView, op: FilterOperator): FieldView {
  const kind = takesMany(op) ? (many[field.kind] ?? 'tags') : (single[field.kind] ?? field.kind)
  return { ...field, kind, required: true, maxLength: undefined, ...(field.kind === 'boolean' ? { options: yesOrNo } : {}) }
}

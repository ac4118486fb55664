import { Suspense, useState } from 'react'
import { Button, Select, Skeleton } from 'antd'
import type { FilterOperator, FilterTerm } from '@outpost/contract/envelope'
import type { FieldKind, FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { fieldKindView } from '../../fields/index.ts'
import { isBlank } from '../../formats.ts'
import { firstOperator, needsValue, operatorWords, takesMany } from './filter-terms.ts'

interface TermFormProps { view: ListView, term?: FilterTerm, onDone: (term: FilterTerm) => void, onCancel: () => void }

/** Adds or changes one filter: field, operator, value; the input is that of the field's kind. */
export function TermForm({ view, term, onDone, onCancel }: TermFormProps) {
  const [key, setKey] = useState(term?.field ?? view.filters[0]?.key)
  const filter = view.filters.find((one) => one.key === key)
  const field = view.fields.find((one) => one.key === key) ?? { key: key ?? '', kind: 'text', label: key ?? '' }
  const [op, setOp] = useState<FilterOperator>(term?.op ?? firstOperator(filter?.operators ?? []))
  const [value, setValue] = useState<unknown>(term?.value)
  const choose = (next: string) => {
    setKey(next)
    setOp(firstOperator(view.filters.find((one) => one.key === next)?.operators ?? []))
    setValue(undefined)
  }
  const chooseOperator = (next: FilterOperator) => {
    if (takesMany(next) !== takesMany(op)) setValue(undefined)
    setOp(next)
  }
  const isReady = key !== undefined && (!needsValue(op) || !isBlank(value))
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (isReady) onDone({ field: field.key, op, ...(needsValue(op) ? { value: value as FilterTerm['value'] } : {}) })
  }
  const input = asked(field, op)
  const { Input } = fieldKindView(input.kind)
  return (
    <form noValidate className="term-form" onSubmit={submit} onKeyDown={(event) => { if (event.key === 'Escape') onCancel() }} aria-label={t('Filter')}>
      <label htmlFor="term-field">{t('Field')}</label>
      <Select
        id="term-field" value={key} onChange={choose} autoFocus showSearch={{ optionFilterProp: 'label' }}
        options={view.filters.map((one) => ({ value: one.key, label: t(view.fields.find((other) => other.key === one.key)?.label ?? one.key) }))}
      />
      <label htmlFor="term-operator">{t('Condition')}</label>
      <Select id="term-operator" value={op} onChange={chooseOperator} options={(filter?.operators ?? []).map((one) => ({ value: one, label: t(operatorWords(one, field.kind)) }))} />
      {needsValue(op) ? (
        <>
          <label htmlFor="term-value">{t('Value')}</label>
          <Suspense fallback={<Skeleton.Input active block />}><Input key={`${key} ${op}`} id="term-value" field={input} value={value} onChange={setValue} aria-label={t('Value')} /></Suspense>
        </>
      ) : null}
      <div className="term-form-end">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="primary" htmlType="submit" disabled={!isReady}>{t(term ? 'Change' : 'Add filter')}</Button>
      </div>
    </form>
  )
}

const many: Partial<Record<FieldKind, FieldKind>> = { choice: 'multiChoice', reference: 'multiReference' }
const single: Partial<Record<FieldKind, FieldKind>> = {
  multiChoice: 'choice', multiReference: 'reference', tags: 'text', longText: 'text', email: 'text', phone: 'text', idNumber: 'text', address: 'text',
  personName: 'text', dateTime: 'date', boolean: 'choice',
}
const yesOrNo = [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]

/** The field whose input asks for the value: several values, a part of a text, or a whole day need another one. */
function asked(field: FieldView, op: FilterOperator): FieldView {
  const kind = takesMany(op) ? many[field.kind] ?? 'tags' : single[field.kind] ?? field.kind
  return { ...field, kind, required: true, maxLength: undefined, ...(field.kind === 'boolean' ? { options: yesOrNo } : {}) }
}

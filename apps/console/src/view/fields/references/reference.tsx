import { useMemo, useState } from 'react'
import { Select } from 'antd'
import { t } from '../../../session/labels.ts'
import { RecordLink } from '../../RecordLink.tsx'
import { forInput } from '../plain.tsx'
import { useReferenceLabels, useReferenceOptions } from '../parts/use-options.ts'
import type { FieldView } from '@outpost/contract/fields'
import type { CellProps, FieldKindView, InputProps, RecordValues } from '../types.ts'

/** The label that travels beside a reference. */
export const knownLabel = (field: FieldView, record: RecordValues | undefined): string | undefined => {
  const label = record?.[`${field.key}Label`]
  return typeof label === 'string' && label !== '' ? label : undefined
}

const ReferenceInput = (props: InputProps) => {
  const { field, record } = props
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { options, isLoading, error } = useReferenceOptions(field.reference, search, isOpen)
  const id = props.value ? String(props.value) : undefined
  const [first] = useState({ id, label: knownLabel(field, record) })
  const isUnnamed = id !== undefined && !options.some((option) => option.value === id) && first.id !== id
  const labels = useReferenceLabels(field.reference, isUnnamed || (id && !first.label) ? [id ?? ''] : [])
  const shown = useMemo(
    () => withChosen(options, id, labels.get(id ?? '') ?? (first.id === id ? first.label : undefined)),
    [options, id, labels, first],
  )
  return (
    <Select
      {...forInput(props)}
      className="field-wide"
      allowClear={!field.required}
      loading={isLoading && isOpen}
      options={shown}
      value={id}
      placeholder={t('Search and choose')}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      onOpenChange={setOpen}
      notFoundContent={error ? t('The options could not be loaded.') : isLoading ? t('Loading') : t('Nothing found')}
      onChange={(value?: string) => props.onChange?.(value ?? null)}
    />
  )
}

/** The options with the chosen one among them, so that it shows its name and not its id. */
function withChosen(options: { value: string; label: string }[], id: string | undefined, label: string | undefined) {
  if (!id || options.some((option) => option.value === id)) return options
  return [{ value: id, label: label ?? '…' }, ...options]
}

const ReferenceCell = ({ field, value, record }: CellProps) => {
  const label = knownLabel(field, record)
  // The server names what the caller sees: a record without a name lies beyond the caller's reach.
  if (record?.[`${field.key}Label`] === null) return <span className="field-beyond">{t('Not visible to you')}</span>
  return label ? (
    <RecordLink screen={field.reference?.screen} id={String(value)}>
      {label}
    </RecordLink>
  ) : (
    <FetchedLabel field={field} id={String(value)} />
  )
}
const FetchedLabel = ({ field, id }: { field: FieldView; id: string }) => {
  const labels = useReferenceLabels(field.reference, [id])
  return (
    <RecordLink screen={field.reference?.screen} id={id}>
      {labels.get(id) ?? (field.reference ? '…' : id)}
    </RecordLink>
  )
}

/** Another record, chosen by searching its list. */
export const reference: FieldKindView = {
  Input: ReferenceInput,
  Cell: ReferenceCell,
  width: 170,
  besideText: 0,
  toWire: (value) => (value ? String(value) : null),
  text: (value, { field, record }) => knownLabel(field, record) ?? String(value),
}

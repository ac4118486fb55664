import { useState } from 'react'
import { Select } from 'antd'
import { t } from '../../../session/labels.ts'
import { RecordLink } from '../../RecordLink.tsx'
import { listOf } from '../choices/multiChoice.tsx'
import { forInput } from '../plain.tsx'
import { useReferenceLabels, useReferenceOptions } from '../parts/use-options.ts'
import type { CellProps, FieldKindView, InputProps } from '../types.ts'

/** Ids of a value that may hold ids or whole rows. */
const idsOf = (value: unknown): string[] =>
  listOf(value).map((one) => (typeof one === 'object' && one !== null && 'Id' in one ? String(one.Id) : String(one)))

/** Labels that travel with the rows, so that nothing is asked for. */
function ownLabels(value: unknown): ReadonlyMap<string, string> {
  const rows = listOf(value).filter(
    (one): one is { Id: unknown; label: string } =>
      typeof one === 'object' && one !== null && 'label' in one && typeof one.label === 'string' && one.label !== '',
  )
  return new Map(rows.map((row) => [String('Id' in row ? row.Id : ''), row.label]))
}

/** Names of the chosen, from the rows themselves or, for those that are ids only, from the list they are of. */
function useLabels({ field, value }: Pick<CellProps, 'field' | 'value'>): (id: string) => string {
  const own = ownLabels(value)
  const fetched = useReferenceLabels(
    field.reference,
    idsOf(value).filter((id) => !own.has(id)),
  )
  return (id) => own.get(id) ?? fetched.get(id) ?? '…'
}

const MultiReferenceInput = (props: InputProps) => {
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { options, isLoading } = useReferenceOptions(props.field.reference, search, isOpen)
  const ids = idsOf(props.value)
  const [first] = useState(() => ownLabels(props.value))
  const label = useLabels({ field: props.field, value: ids.filter((id) => !first.has(id)) })
  const missing = ids
    .filter((id) => !options.some((option) => option.value === id))
    .map((id) => ({ value: id, label: first.get(id) ?? label(id) }))
  return (
    <Select
      {...forInput(props)}
      mode="multiple"
      className="field-wide"
      allowClear
      loading={isLoading && isOpen}
      options={[...missing, ...options]}
      value={ids}
      placeholder={t('Search and choose')}
      showSearch={{ filterOption: false, onSearch: setSearch, autoClearSearchValue: true }}
      onOpenChange={setOpen}
      notFoundContent={isLoading ? t('Loading') : t('Nothing found')}
      onChange={(values: string[]) => props.onChange?.(values)}
    />
  )
}

const MultiReferenceCell = ({ field, value }: CellProps) => {
  const ids = idsOf(value)
  const label = useLabels({ field, value })
  return (
    <span className="field-tags">
      {ids.map((id) => (
        <RecordLink key={id} screen={field.reference?.screen} id={id}>
          {label(id)}
        </RecordLink>
      ))}
    </span>
  )
}

/** Several other records. */
export const multiReference: FieldKindView = {
  Input: MultiReferenceInput,
  Cell: MultiReferenceCell,
  width: 220,
  toWire: idsOf,
  text: (value) => [...ownLabels(value).values()].join(', ') || `${idsOf(value).length} ${t('chosen')}`,
}

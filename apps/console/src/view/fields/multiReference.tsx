import { useState } from 'react'
import { Select } from 'antd'
import { t } from '../../session/labels.ts'
import { RecordLink } from '../RecordLink.tsx'
import { listOf } from './multiChoice.tsx'
import { forInput } from './plain.tsx'
import { useReferenceLabels, useReferenceOptions } from './use-options.ts'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

/** Ids of a value that may hold ids or whole rows. */
const idsOf = (value: unknown): string[] => listOf(value).map((one) => typeof one === 'object' && one !== null && 'Id' in one ? String(one.Id) : String(one))

const MultiReferenceInput = (props: InputProps) => {
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { options, isLoading } = useReferenceOptions(props.field.reference, search, isOpen)
  const ids = idsOf(props.value)
  const labels = useReferenceLabels(props.field.reference, ids)
  const missing = ids.filter((id) => !options.some((option) => option.value === id)).map((id) => ({ value: id, label: labels.get(id) ?? '…' }))
  return (
    <Select
      {...forInput(props)} mode="multiple" className="field-wide" allowClear loading={isLoading && isOpen} options={[...missing, ...options]}
      value={ids} placeholder={t('Search and choose')} showSearch={{ filterOption: false, onSearch: setSearch, autoClearSearchValue: true }} onOpenChange={setOpen}
      notFoundContent={isLoading ? t('Loading') : t('Nothing found')} onChange={(values: string[]) => props.onChange?.(values)}
    />
  )
}

const MultiReferenceCell = ({ field, value }: CellProps) => {
  const ids = idsOf(value)
  const labels = useReferenceLabels(field.reference, ids)
  return (
    <span className="field-tags">
      {ids.map((id) => <RecordLink key={id} screen={field.reference?.screen} id={id}>{labels.get(id) ?? '…'}</RecordLink>)}
    </span>
  )
}

/** Several other records. */
export const multiReference: FieldKindView = {
  Input: MultiReferenceInput, Cell: MultiReferenceCell, width: 220, toWire: idsOf, text: (value) => `${idsOf(value).length} ${t('chosen')}`,
}

import { Button, Segmented, Select } from 'antd'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { maxSorts } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { fieldLabel } from './filter-terms.ts'
import type { Sort } from '../list-state.ts'
import { sortableFields } from './sorting.ts'

interface SortFormProps {
  view: ListView
  sorts: readonly Sort[]
  onChange: (sorts: Sort[]) => void
}

const orders = [
  { value: 'ASC' as const, label: 'A–Z, 0–9' },
  { value: 'DESC' as const, label: 'Z–A, 9–0' },
]

/** By which columns a list is sorted, the first one counting most; what shift and click do, for keyboard and phone. */
export function SortForm({ view, sorts, onChange }: SortFormProps) {
  const free = sortableFields(view).filter((key) => !sorts.some((sort) => sort.field === key))
  const label = (key: string) => t(fieldLabel(view, key))
  const change = (index: number, next: Partial<Sort>) => onChange(sorts.map((sort, at) => (at === index ? { ...sort, ...next } : sort)))
  const [first] = free
  return (
    <div className="sort-form" role="dialog" aria-label={t('Sort')}>
      <ol>
        {sorts.map(({ field, order }, index) => (
          <li key={field}>
            <Select
              value={field}
              aria-label={`${t(index === 0 ? 'Sort by' : 'Then by')} (${index + 1})`}
              onChange={(key) => change(index, { field: key })}
              options={[field, ...free].map((key) => ({ value: key, label: label(key) }))}
              autoFocus={index === 0}
            />
            <Segmented<Sort['order']>
              size="small"
              value={order}
              aria-label={`${t('Direction of')} ${label(field)}`}
              options={orders.map((one) => ({ ...one, label: t(one.label) }))}
              onChange={(next) => change(index, { order: next })}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined aria-hidden />}
              disabled={sorts.length === 1}
              aria-label={`${t('Do not sort by')} ${label(field)}`}
              onClick={() => onChange(sorts.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ol>
      <Button
        type="link"
        size="small"
        icon={<PlusOutlined aria-hidden />}
        disabled={first === undefined || sorts.length >= maxSorts}
        onClick={() => first !== undefined && onChange([...sorts, { field: first, order: 'ASC' }])}
      >
        {t('Then by another column')}
      </Button>
    </div>
  )
}

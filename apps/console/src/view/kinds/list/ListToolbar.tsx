import { lazy, Suspense, useRef, useState } from 'react'
import { Button, Popover } from 'antd'
import { FilterOutlined, SettingOutlined, SortAscendingOutlined } from '@ant-design/icons'
import { isGroup } from '@outpost/contract/envelope'
import type { FilterGroup, FilterPart, FilterTerm } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { SearchBox } from '../../SearchBox.tsx'
import { LayoutSwitch } from './layouts/LayoutSwitch.tsx'
import { DateWindow } from './filter/DateWindow.tsx'
import { FilterChips } from './filter/FilterChips.tsx'
import { fieldLabel, withTerm } from './filter/filter-terms.ts'
import { isNarrowed, plainFilter } from './list-state.ts'
import type { ListFilter } from './list-state.ts'
import type { useColumns } from './table/useColumns.ts'

const TermForm = lazy(async () => ({ default: (await import('./filter/TermForm.tsx')).TermForm }))
const GroupForm = lazy(async () => ({ default: (await import('./filter/GroupForm.tsx')).GroupForm }))
const ColumnChooser = lazy(async () => ({ default: (await import('./table/ColumnChooser.tsx')).ColumnChooser }))
const SortForm = lazy(async () => ({ default: (await import('./filter/SortForm.tsx')).SortForm }))
const waiting = <div className="popover-waiting" />

interface ListToolbarProps {
  view: ListView
  filter: ListFilter
  columns: ReturnType<typeof useColumns>
  onChange: (next: Partial<ListFilter>) => void
}

/** Search, period, filters, layouts, sorting and columns: one row where the screen is wide. */
export function ListToolbar({ view, filter, columns, onChange }: ListToolbarProps) {
  const [editing, setEditing] = useState<FilterPart | 'new' | 'new group'>()
  const [isChoosing, setChoosing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setEditing(undefined)
    button.current?.focus()
  }
  const keep = (part: FilterPart) => {
    const others = filter.terms.filter((other) => other !== editing)
    onChange({ terms: isGroup(part) ? [...others, part] : withTerm(others, part) })
    close()
  }
  return (
    <div className="list-toolbar" role="search" aria-label={`${t('Search and filter')} ${t(view.title)}`}>
      {view.search ? (
        <SearchBox
          className="list-search"
          value={filter.search}
          label={`${t('Search')} ${t(view.title)}`}
          placeholder={t('Search this list')}
          onSearch={(search) => onChange({ search })}
        />
      ) : null}
      {view.dateTypes?.length ? <DateWindow view={view} filter={filter} onChange={onChange} /> : null}
      <FilterChips
        view={view}
        parts={filter.terms}
        onEdit={setEditing}
        onRemove={(part) => onChange({ terms: filter.terms.filter((other) => other !== part) })}
      />
      {view.filters.length > 0 ? (
        <Popover
          trigger="click"
          placement="bottomLeft"
          open={editing !== undefined}
          onOpenChange={(isOpen) => (isOpen ? setEditing('new') : setEditing(undefined))}
          destroyOnHidden
          content={
            editing === undefined ? (
              waiting
            ) : (
              <Suspense fallback={waiting}>
                <PartForm view={view} part={editing} onDone={keep} onCancel={close} onGroup={() => setEditing('new group')} />
              </Suspense>
            )
          }
        >
          <Button ref={button} icon={<FilterOutlined aria-hidden />} aria-haspopup="dialog" aria-expanded={editing !== undefined}>
            {t('Filter')}
          </Button>
        </Popover>
      ) : null}
      {isNarrowed(filter) ? (
        <Button type="link" size="small" onClick={() => onChange(plainFilter(view))}>
          {t('Clear')}
        </Button>
      ) : null}
      {view.layouts?.length ? <LayoutSwitch view={view} layouts={view.layouts} /> : null}
      {view.presentation !== 'tree' ? <SortButton view={view} filter={filter} onChange={onChange} /> : null}
      <Popover
        trigger="click"
        placement="bottomRight"
        open={isChoosing}
        onOpenChange={setChoosing}
        destroyOnHidden
        content={
          <Suspense fallback={waiting}>
            <ColumnChooser view={view} columns={columns} />
          </Suspense>
        }
      >
        <Button
          className="list-toolbar-end"
          icon={<SettingOutlined aria-hidden />}
          aria-label={t('Columns and density')}
          aria-haspopup="dialog"
          aria-expanded={isChoosing}
        />
      </Popover>
    </div>
  )
}

interface PartFormProps {
  view: ListView
  part: FilterPart | 'new' | 'new group'
  onDone: (part: FilterPart) => void
  onCancel: () => void
  onGroup: () => void
}

function PartForm({ part, onGroup, ...rest }: PartFormProps) {
  const isOfGroup = part === 'new group' || (part !== 'new' && isGroup(part))
  return isOfGroup ? (
    <GroupForm {...rest} group={part === 'new group' ? undefined : (part as FilterGroup)} />
  ) : (
    <TermForm {...rest} term={part === 'new' ? undefined : (part as FilterTerm)} onGroup={part === 'new' ? onGroup : undefined} />
  )
}

/** Says by what the list is sorted and opens the choice. */
function SortButton({ view, filter: { sort }, onChange }: Pick<ListToolbarProps, 'view' | 'filter' | 'onChange'>) {
  const [isOpen, setOpen] = useState(false)
  const words = sort.map(({ field, order }) => `${t(fieldLabel(view, field))} ${order === 'ASC' ? '↑' : '↓'}`).join(', ')
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <Suspense fallback={waiting}>
          <SortForm view={view} sorts={sort} onChange={(next) => onChange({ sort: next })} />
        </Suspense>
      }
    >
      <Button
        className="list-toolbar-sort"
        icon={<SortAscendingOutlined aria-hidden />}
        aria-label={`${t('Sort')}: ${words}`}
        title={words}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      />
    </Popover>
  )
}

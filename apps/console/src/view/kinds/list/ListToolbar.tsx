import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button, Input, Popover, Tag } from 'antd'
import type { InputRef } from 'antd'
import { FilterOutlined, SearchOutlined, SettingOutlined, SortAscendingOutlined } from '@ant-design/icons'
import type { FilterTerm } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { useReferenceLabels } from '../../fields/use-options.ts'
import { LayoutSwitch } from './layouts/LayoutSwitch.tsx'
import { DateWindow } from './DateWindow.tsx'
import { fieldLabel, operatorWords, valueWords, withTerm } from './filter-terms.ts'
import { isNarrowed, plainFilter } from './list-state.ts'
import type { ListFilter } from './list-state.ts'
import type { useColumns } from './useColumns.ts'

const TermForm = lazy(async () => ({ default: (await import('./TermForm.tsx')).TermForm }))
const ColumnChooser = lazy(async () => ({ default: (await import('./ColumnChooser.tsx')).ColumnChooser }))
const SortForm = lazy(async () => ({ default: (await import('./SortForm.tsx')).SortForm }))
const waiting = <div className="popover-waiting" />

interface ListToolbarProps { view: ListView, filter: ListFilter, columns: ReturnType<typeof useColumns>, onChange: (next: Partial<ListFilter>) => void }

/** Search, date window, filter chips and the column chooser. */
export function ListToolbar({ view, filter, columns, onChange }: ListToolbarProps) {
  const [editing, setEditing] = useState<FilterTerm | 'new'>()
  const [isChoosing, setChoosing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setEditing(undefined)
    button.current?.focus()
  }
  const keep = (term: FilterTerm) => {
    const others = filter.terms.filter((other) => other !== editing)
    onChange({ terms: withTerm(others, term) })
    close()
  }
  return (
    <div className="list-toolbar" role="search" aria-label={`${t('Search and filter')} ${t(view.title)}`}>
      {view.search ? <SearchBox value={filter.search} title={view.title} onChange={(search) => onChange({ search })} /> : null}
      {view.dateTypes?.length ? <DateWindow view={view} filter={filter} onChange={onChange} /> : null}
      {filter.terms.map((term) => (
        <TermChip key={`${term.field} ${term.op}`} view={view} term={term} onEdit={() => setEditing(term)} onRemove={() => onChange({ terms: filter.terms.filter((other) => other !== term) })} />
      ))}
      {view.filters.length > 0 ? (
        <Popover
          trigger="click" placement="bottomLeft" open={editing !== undefined} onOpenChange={(isOpen) => isOpen ? setEditing('new') : setEditing(undefined)} destroyOnHidden
          content={<Suspense fallback={waiting}><TermForm view={view} term={editing === 'new' ? undefined : editing} onDone={keep} onCancel={close} /></Suspense>}
        >
          <Button ref={button} icon={<FilterOutlined aria-hidden />} aria-haspopup="dialog" aria-expanded={editing !== undefined}>{t('Filter')}</Button>
        </Popover>
      ) : null}
      {isNarrowed(filter) ? <Button type="link" size="small" onClick={() => onChange(plainFilter(view))}>{t('Clear')}</Button> : null}
      {view.layouts?.length ? <LayoutSwitch view={view} layouts={view.layouts} /> : null}
      {view.presentation === 'table' ? <SortButton view={view} filter={filter} onChange={onChange} /> : null}
      <Popover
        trigger="click" placement="bottomRight" open={isChoosing} onOpenChange={setChoosing} destroyOnHidden
        content={<Suspense fallback={waiting}><ColumnChooser view={view} columns={columns} /></Suspense>}
      >
        <Button className="list-toolbar-end" icon={<SettingOutlined aria-hidden />} aria-label={t('Columns and density')} aria-haspopup="dialog" aria-expanded={isChoosing} />
      </Popover>
    </div>
  )
}

/** Says by what the list is sorted and opens the choice. */
function SortButton({ view, filter: { sort }, onChange }: Pick<ListToolbarProps, 'view' | 'filter' | 'onChange'>) {
  const [isOpen, setOpen] = useState(false)
  const words = sort.map(({ field, order }) => `${t(fieldLabel(view, field))} ${order === 'ASC' ? '↑' : '↓'}`).join(', ')
  return (
    <Popover
      trigger="click" placement="bottomRight" open={isOpen} onOpenChange={setOpen} destroyOnHidden
      content={<Suspense fallback={waiting}><SortForm view={view} sorts={sort} onChange={(next) => onChange({ sort: next })} /></Suspense>}
    >
      <Button className="list-toolbar-sort" icon={<SortAscendingOutlined aria-hidden />} aria-label={`${t('Sort')}: ${words}`} title={words} aria-haspopup="dialog" aria-expanded={isOpen} />
    </Popover>
  )
}

const typingPause = 300

/** The search box; what is typed counts after a pause or with Enter. */
function SearchBox({ value, title, onChange }: { value: string, title: string, onChange: (search: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const box = useRef<InputRef>(null)
  if (value !== sent) {
    setSent(value)
    setTyped(value)
  }
  const send = (text: string) => {
    setSent(text)
    onChange(text)
  }
  useEffect(() => {
    if (typed === sent) return
    const timer = setTimeout(() => send(typed), typingPause)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <Input
      ref={box} className="list-search" allowClear prefix={<SearchOutlined aria-hidden />} value={typed} placeholder={t('Search this list')} aria-label={`${t('Search')} ${t(title)}`}
      onChange={(event) => setTyped(event.target.value)} onPressEnter={() => send(typed)} enterKeyHint="search"
    />
  )
}

const TermChip = ({ view, term, onEdit, onRemove }: { view: ListView, term: FilterTerm, onEdit: () => void, onRemove: () => void }) => {
  const field = view.fields.find((one) => one.key === term.field)
  const ids = field?.reference ? [term.value].flat().map(String) : []
  const labels = useReferenceLabels(field?.reference, ids)
  const words = `${t(field?.label ?? term.field)} ${t(operatorWords(term.op, field?.kind ?? 'text'))} ${valueWords(term, field, labels)}`.trim()
  return (
    <Tag className="list-chip" closable closeIcon onClose={(event) => { event.preventDefault(); onRemove() }} variant="outlined">
      <button type="button" className="list-chip-words" onClick={onEdit} title={words} aria-label={`${t('Change the filter')}: ${words}`}>{words}</button>
    </Tag>
  )
}

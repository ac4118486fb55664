import { Button, Checkbox, InputNumber, Segmented } from 'antd'
import { HolderOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons'
import { closestCenter, DndContext } from '@dnd-kit/core'
import type { DragEndEvent } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { sortAnnouncements, useSortSensors } from '../../../sorting.ts'
import { changeColumn, maxWidth, minWidth, moveColumn } from './columns.ts'
import type { ColumnState, Density } from './columns.ts'
import type { useColumns } from './useColumns.ts'

const densityOptions: { value: Density; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'medium', label: 'Medium' },
  { value: 'comfortable', label: 'Roomy' },
]

/** Which columns, in which order, pinned, how wide, and how dense; by mouse or by keyboard (space, arrows, space). */
export function ColumnChooser({ view, columns }: { view: ListView; columns: ReturnType<typeof useColumns> }) {
  const sensors = useSortSensors()
  const states = columns.columns
  const label = (key: string) => t(view.fields.find((field) => field.key === key)?.label ?? key)
  const drop = ({ active, over }: DragEndEvent) => {
    const place = (id: unknown) => states.findIndex((state) => state.key === id)
    if (over && active.id !== over.id) columns.change({ columns: moveColumn(states, place(active.id), place(over.id)) })
  }
  const announcements = sortAnnouncements((key) => label(String(key)))
  return (
    <div className="column-chooser" role="dialog" aria-label={t('Columns and density')}>
      <Segmented<Density>
        block
        aria-label={t('Density')}
        value={columns.density}
        options={densityOptions.map((one) => ({ ...one, label: t(one.label) }))}
        onChange={(density) => columns.change({ density })}
      />
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={{ announcements }}>
        <SortableContext items={states.map((state) => state.key)} strategy={verticalListSortingStrategy}>
          <ul className="column-chooser-list">
            {states.map((state) => (
              <ColumnRow
                key={state.key}
                state={state}
                label={label(state.key)}
                isLast={states.filter((one) => !one.isHidden).length === 1 && !state.isHidden}
                plainWidth={view.columns.find((column) => column.key === state.key)?.width}
                onChange={(change) => columns.change({ columns: changeColumn(states, state.key, change) })}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      <Button type="link" size="small" onClick={() => columns.change(null)} disabled={!columns.isChanged}>
        {t('Back to how it was')}
      </Button>
    </div>
  )
}

interface ColumnRowProps {
  state: ColumnState
  label: string
  isLast: boolean
  plainWidth?: number
  onChange: (change: Partial<ColumnState>) => void
}

const ColumnRow = ({ state, label, isLast, plainWidth, onChange }: ColumnRowProps) => {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: state.key })
  const isPinned = state.pin === 'left'
  return (
    <li
      ref={setNodeRef}
      className="column-chooser-row"
      data-dragging={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="column-chooser-handle"
        {...attributes}
        {...listeners}
        aria-label={`${t('Move')} ${label}`}
      >
        <HolderOutlined aria-hidden />
      </button>
      <Checkbox
        className="column-chooser-name"
        checked={!state.isHidden}
        disabled={isLast}
        onChange={(event) => onChange({ isHidden: !event.target.checked })}
      >
        {label}
      </Checkbox>
      <InputNumber
        size="small"
        className="column-chooser-width"
        min={minWidth}
        max={maxWidth}
        step={20}
        controls={false}
        value={state.width}
        placeholder={String(plainWidth ?? t('auto'))}
        aria-label={`${t('Width of')} ${label}`}
        onChange={(width) => onChange({ width: width ?? undefined })}
      />
      <Button
        type="text"
        size="small"
        icon={isPinned ? <PushpinFilled aria-hidden /> : <PushpinOutlined aria-hidden />}
        aria-pressed={isPinned}
        aria-label={`${t('Pin')} ${label}`}
        onClick={() => onChange({ pin: isPinned ? undefined : 'left' })}
      />
    </li>
  )
}

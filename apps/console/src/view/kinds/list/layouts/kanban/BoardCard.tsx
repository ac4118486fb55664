import { memo, useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useDraggable } from '@dnd-kit/core'
import { Checkbox } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import type { ActionView, KanbanLayout, ListView } from '@outpost/contract/views'
import type { Row } from '../../../../../data/records.ts'
import { t } from '../../../../../session/labels.ts'
import { ActionMenu } from '../../../../actions/ActionMenu.tsx'
import { rowId } from '../../../../actions/call.ts'
import { offered } from '../../../../actions/offered.ts'
import { FieldValue } from '../../../../FieldValue.tsx'
import { isBlank } from '../../../../formats.ts'
import { titleOf } from '../../table/table-columns.tsx'

export interface CardDeeds {
  onPeek: (id: string) => void
  onRun: (action: ActionView, row: Row) => void
  onMove: (row: Row, to: string) => void
  /** Absent when nothing can be done with several cards. */
  onToggle?: (row: Row) => void
}

interface CardFaceProps extends CardDeeds {
  view: ListView
  layout: KanbanLayout
  row: Row
  currency: string
  actions: readonly ActionView[]
  isSelected: boolean
}

/** What is on a card: name, label, the chosen lines and the menu with every way to move it. */
export const CardFace = memo(function CardFace({
  view,
  layout,
  row,
  currency,
  actions,
  isSelected,
  onPeek,
  onRun,
  onMove,
  onToggle,
}: CardFaceProps) {
  const title = titleOf({ ...view, titleKey: layout.titleKey }, row)
  const field = (key: string | undefined): FieldView | undefined => view.fields.find((one) => one.key === key)
  const badge = field(layout.badge)
  const moves = layout.move ? layout.columns.filter((column) => column.value !== String(row[layout.field]) && !column.locked) : []
  return (
    <>
      <div className="board-card-head">
        {onToggle ? (
          <Checkbox tabIndex={-1} checked={isSelected} aria-label={`${t('Select')} ${title}`} onChange={() => onToggle(row)} />
        ) : null}
        <button type="button" tabIndex={-1} className="board-card-title" onClick={() => onPeek(rowId(row, view.idKey))}>
          {title}
        </button>
        <ActionMenu
          actions={offered(actions, row)}
          label={`${t('Actions for')} ${title}`}
          onRun={(action) => onRun(action, row)}
          extra={moves.map((column) => ({
            key: `move ${column.value}`,
            label: `${t('Move to')} ${t(column.label)}`,
            run: () => onMove(row, column.value),
          }))}
        />
      </div>
      {layout.lines.map((key) => {
        const line = field(key)
        return line ? (
          <div key={key} className="board-card-line" title={t(line.label)}>
            <FieldValue field={line} record={row} currency={currency} />
          </div>
        ) : null
      })}
      {badge && !isBlank(row[badge.key]) ? (
        <span className="board-card-badge" title={t(badge.label)}>
          <FieldValue field={badge} record={row} currency={currency} />
        </span>
      ) : null}
    </>
  )
})

interface BoardCardProps extends CardFaceProps {
  top: number
  isActive: boolean
  hasFocus: boolean
  place: string
  onFocus: () => void
  onWalk: (event: KeyboardEvent) => void
}

/** A card on the board. One of a column's cards is its tab stop; Space picks it up, arrows walk, Enter looks at it. */
export function BoardCard({ top, isActive, hasFocus, place, onFocus, onWalk, ...face }: BoardCardProps) {
  const { view, layout, row, isSelected, onPeek, onToggle } = face
  const id = rowId(row, view.idKey)
  const { setNodeRef, setActivatorNodeRef, listeners, isDragging } = useDraggable({ id, data: { row }, disabled: !layout.move })
  const card = useRef<HTMLLIElement | null>(null)
  useEffect(() => {
    if (hasFocus) card.current?.focus({ preventScroll: true })
  }, [hasFocus])
  const press = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter') onPeek(id)
    else if (event.key === 'x') onToggle?.(row)
    else if (event.key === 'm') event.currentTarget.querySelector<HTMLButtonElement>('[aria-haspopup=menu]')?.click()
    else if (event.key === ' ' || isDragging) listeners?.onKeyDown?.(event)
    else return onWalk(event)
    event.preventDefault()
  }
  return (
    <li
      ref={(node) => {
        card.current = node
        setNodeRef(node)
        setActivatorNodeRef(node)
      }}
      className="board-card"
      style={{ insetBlockStart: top }}
      tabIndex={isActive ? 0 : -1}
      data-dragging={isDragging}
      data-selected={isSelected}
      aria-label={`${titleOf({ ...view, titleKey: layout.titleKey }, row)}, ${place}`}
      aria-describedby="board-help"
      {...listeners}
      onKeyDown={press}
      onFocus={onFocus}
    >
      <CardFace {...face} />
    </li>
  )
}

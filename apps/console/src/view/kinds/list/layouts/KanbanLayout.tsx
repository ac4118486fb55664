import { useCallback, useMemo, useRef, useState } from 'react'
import { DndContext, DragOverlay, KeyboardSensor, MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core'
import type { Active, DragEndEvent, DragStartEvent, Over } from '@dnd-kit/core'
import { Alert, Button } from 'antd'
import type { KanbanLayout as KanbanLayoutView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { t } from '../../../../session/labels.ts'
import { useReducedMotion } from '../../../../theme/motion.ts'
import { rowId } from '../../../actions/call.ts'
import { StatePanel } from '../../../states/index.tsx'
import { toggled } from '../table/RecordTable.tsx'
import { titleOf } from '../table/table-columns.tsx'
import { CardFace } from './kanban/BoardCard.tsx'
import { BoardColumn } from './kanban/BoardColumn.tsx'
import { columnsLeft } from './kanban/board-cache.ts'
import { besideColumn, columnUnder } from './kanban/drag.ts'
import { useMove } from './kanban/useMove.tsx'
import type { Refusal } from './kanban/useMove.tsx'
import { useSummary } from './kanban/useSummary.ts'
import type { LayoutProps } from './layout-props.ts'
import './kanban/kanban.css'

/** The rows of a list as cards on a board; a card goes to another column by drag, by keys or by its menu. */
export function KanbanLayout({
  layout,
  view,
  query,
  params,
  currency,
  actions,
  selected,
  isReady,
  onSelect,
  onPeek,
  onRun,
  onRows,
}: LayoutProps & { layout: KanbanLayoutView }) {
  const board = useMemo(() => ({ view, layout, query, params, isReady }), [view, layout, query, params, isReady])
  const columns = useMemo(() => columnsLeft(layout, query.filter), [layout, query.filter])
  const figures = useSummary(board)
  const { move, dialog, refusal, forgive } = useMove(board)
  const [held, setHeld] = useState<Row>()
  const [focused, setFocused] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  const isStill = useReducedMotion()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: besideColumn,
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] },
    }),
  )
  const onToggle = useMemo(
    () => onSelect && ((row: Row) => onSelect((before) => toggled(before, rowId(row, view.idKey), row))),
    [onSelect, view.idKey],
  )
  const tellRows = useColumnRows(columns, onRows)
  const drop = ({ active, over, activatorEvent }: DragEndEvent) => {
    setHeld(undefined)
    const row = rowOf(active)
    if (!over || !row) return
    if (activatorEvent instanceof KeyboardEvent) setFocused(String(active.id))
    move(row, String(over.id))
  }
  const beside = useCallback((value: string) => (step: -1 | 1, index: number) => besideCard(place.current, value, step, index), [])
  const besides = useMemo(() => new Map(layout.columns.map(({ value }) => [value, beside(value)])), [layout, beside])
  if (columns.length === 0)
    return <StatePanel title={t('The filter leaves no column')} body={t('Remove the filter on the status to see the board.')} />
  return (
    <>
      {refusal ? <RefusalNote refusal={refusal} layout={layout} name={titleOf(view, refusal.row)} onMove={move} onClose={forgive} /> : null}
      <p id="board-help" className="o-hidden">
        {layout.move
          ? t(
              'Space picks the card up, arrows choose a column, Space drops it, Escape puts it back. M opens the menu, Enter shows the card.',
            )
          : t('Enter shows the card.')}
      </p>
      <DndContext
        sensors={sensors}
        collisionDetection={columnUnder}
        onDragStart={({ active }: DragStartEvent) => setHeld(rowOf(active))}
        onDragEnd={drop}
        onDragCancel={() => setHeld(undefined)}
        accessibility={{ announcements: announcements(view, layout) }}
      >
        <div
          ref={place}
          className="board"
          style={{ '--board-columns': columns.length, '--card-height': `${44 + layout.lines.length * 22 + 8}px` } as React.CSSProperties}
        >
          {columns.map((column) => (
            <BoardColumn
              key={column.value}
              board={board}
              column={column}
              figure={figures.get(column.value)}
              currency={currency}
              actions={actions}
              selected={selected}
              focused={focused}
              held={held && rowId(held, view.idKey)}
              onRows={tellRows}
              onBeside={besides.get(column.value) ?? none}
              onPeek={onPeek}
              onRun={onRun}
              onMove={move}
              onToggle={onToggle}
            />
          ))}
        </div>
        <DragOverlay dropAnimation={isStill ? null : undefined}>
          {held ? (
            <div className="board-card board-card-held">
              <CardFace
                view={view}
                layout={layout}
                row={held}
                currency={currency}
                actions={noActions}
                isSelected={false}
                onPeek={none}
                onRun={none}
                onMove={none}
              />
            </div>
          ) : null}
        </DragOverlay>
      </DndContext>
      {dialog}
    </>
  )
}

const none = () => undefined
const noActions: readonly never[] = []
const rowOf = (active: Active): Row | undefined => (active.data.current as { row?: Row } | undefined)?.row

/** Gathers the rows of all columns in their order, for the peek that walks through them. */
function useColumnRows(columns: KanbanLayoutView['columns'], onRows: (rows: readonly Row[]) => void) {
  const byColumn = useRef(new Map<string, readonly Row[]>())
  return useCallback(
    (value: string, rows: readonly Row[]) => {
      byColumn.current.set(value, rows)
      onRows(columns.flatMap((one) => byColumn.current.get(one.value) ?? []))
    },
    [columns, onRows],
  )
}

/** Focuses the card at the same height in the column beside, past empty ones. */
function besideCard(board: HTMLElement | null, value: string, step: -1 | 1, index: number): void {
  const lists = [...(board?.querySelectorAll<HTMLElement>('.board-cards') ?? [])]
  const at = lists.findIndex((list) => list.dataset.value === value)
  for (let next = at + step; next >= 0 && next < lists.length; next += step) {
    const cards = [...(lists[next]?.querySelectorAll<HTMLElement>('.board-card') ?? [])]
    const card = cards[Math.min(index, cards.length - 1)]
    if (!card) continue
    card.focus()
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    return
  }
}

/** Says why a card went back, and offers the columns that are allowed. */
function RefusalNote({
  refusal,
  layout,
  name,
  onMove,
  onClose,
}: {
  refusal: Refusal
  layout: KanbanLayoutView
  name: string
  onMove: (row: Row, to: string) => void
  onClose: () => void
}) {
  const allowed = layout.columns.filter(({ value, locked }) => refusal.allowed.includes(value) && !locked)
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="board-refusal"
      title={`${name}: ${t(refusal.message)}`}
      closable={{ onClose, 'aria-label': t('Close') }}
      description={
        allowed.length > 0 ? (
          <span className="board-allowed">
            {t('Allowed')}:{' '}
            {allowed.map((column) => (
              <Button key={column.value} size="small" onClick={() => onMove(refusal.row, column.value)}>
                {t('Move to')} {t(column.label)}
              </Button>
            ))}
          </span>
        ) : undefined
      }
    />
  )
}

function announcements(view: LayoutProps['view'], layout: KanbanLayoutView) {
  const name = (active: Active) => {
    const row = rowOf(active)
    return row ? titleOf(view, row) : ''
  }
  const column = (over: Over) => t(layout.columns.find(({ value }) => value === over.id)?.label ?? String(over.id))
  const isHome = (active: Active, over: Over) => String(rowOf(active)?.[layout.field]) === over.id
  return {
    onDragStart: ({ active }: { active: Active }) => `${name(active)} ${t('picked up')}`,
    onDragOver: ({ active, over }: { active: Active; over: Over | null }) =>
      over ? `${name(active)} ${t('over')} ${column(over)}${isHome(active, over) ? `, ${t('where it is')}` : ''}` : undefined,
    onDragEnd: ({ active, over }: { active: Active; over: Over | null }) =>
      over ? `${name(active)} ${t('dropped into')} ${column(over)}` : `${name(active)} ${t('put back')}`,
    onDragCancel: ({ active }: { active: Active }) => `${name(active)} ${t('put back')}`,
  }
}

import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useDroppable } from '@dnd-kit/core'
import { Button } from 'antd'
import type { ActionView, KanbanLayout } from '@outpost/contract/views'
import type { Row } from '../../../../../data/records.ts'
import { t } from '../../../../../session/labels.ts'
import { hueClass } from '../../../../../theme/hues.ts'
import { explainFailure, rowId } from '../../../../actions/call.ts'
import { formatCount, formatMoney } from '../../../../formats.ts'
import { LoadingState } from '../../../../states/index.tsx'
import { BoardCard } from './BoardCard.tsx'
import type { CardDeeds } from './BoardCard.tsx'
import { rowsOf, totalOf } from './board-cache.ts'
import { useBoardColumn } from './useBoardColumn.ts'
import type { BoardQuery } from './useBoardColumn.ts'
import type { ColumnFigure } from './useSummary.ts'
import { useWindow } from './useWindow.ts'

export interface BoardColumnProps extends CardDeeds {
  board: BoardQuery
  column: KanbanLayout['columns'][number]
  figure: ColumnFigure | undefined
  currency: string
  actions: readonly ActionView[]
  selected: ReadonlyMap<string, Row>
  /** Card in the hand. It comes from the board: asking the drag's own context would draw every card at each move. */
  held: string | undefined
  /** Card that gets the focus when it is drawn: the one just moved by keys. */
  focused: string | undefined
  /** Tells the loaded cards of the column. */
  onRows: (value: string, rows: readonly Row[]) => void
  /** Left or right was pressed at a card of this height. */
  onBeside: (step: -1 | 1, index: number) => void
}

const gap = 8
const cardHeight = (layout: KanbanLayout) => 44 + layout.lines.length * 22 + 8

/** One column of the board: its head with count and sum, and its cards, of which only those in view are drawn. */
export const BoardColumn = memo(function BoardColumn({ board, column, figure, onRows, ...rest }: BoardColumnProps) {
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useBoardColumn(board, column.value)
  const { idKey } = board.view
  const rows = useMemo(() => rowsOf(data, idKey), [data, idKey])
  useEffect(() => onRows(column.value, rows), [rows, column.value, onRows])
  const { setNodeRef, isOver } = useDroppable({ id: column.value, disabled: column.locked })
  const { total, isEstimated } = totalOf(data)
  return (
    <section
      ref={setNodeRef}
      className="board-column"
      data-over={isOver}
      data-closed={rest.held !== undefined && column.locked}
      aria-label={t(column.label)}
    >
      <header className={`board-column-head ${hueClass(column.colour)}`}>
        <h2>{t(column.label)}</h2>
        <span className="board-count">{isPending ? '' : formatCount(figure?.count ?? total, figure === undefined && isEstimated)}</span>
        {board.layout.sum ? (
          <span className="board-sum">{Number(figure?.sum ?? 0) === 0 ? null : formatMoney(figure?.sum, rest.currency)}</span>
        ) : null}
      </header>
      {error && !data ? (
        <div className="board-note" role="alert">
          {explainFailure(error).message}{' '}
          <Button size="small" onClick={() => void refetch()}>
            {t('Retry')}
          </Button>
        </div>
      ) : isPending ? (
        <LoadingState rows={4} label={`${t('Loading')} ${t(column.label)}`} />
      ) : (
        <Cards
          {...rest}
          board={board}
          column={column}
          rows={rows}
          hasMore={hasNextPage}
          onEnd={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
          }}
        />
      )}
    </section>
  )
})

interface CardsProps extends Omit<BoardColumnProps, 'figure' | 'onRows'> {
  rows: readonly Row[]
  hasMore: boolean
  onEnd: () => void
}

function Cards({ board, column, rows, hasMore, onEnd, held, focused, selected, onBeside, ...rest }: CardsProps) {
  const { view, layout } = board
  const box = useRef<HTMLDivElement>(null)
  const height = cardHeight(layout) + gap
  const { first, last } = useWindow(box, rows.length, height)
  const [active, setActive] = useState(0)
  const current = Math.min(active, rows.length - 1)
  const isNearEnd = last >= rows.length - 10
  const atEnd = useEffectEvent(onEnd)
  useEffect(() => {
    if (hasMore && isNearEnd) atEnd()
  }, [hasMore, isNearEnd, rows.length])
  const walk = (event: KeyboardEvent, index: number) => {
    const side = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key]
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (side) onBeside(side, index)
    else if (next !== undefined && next >= 0 && next < rows.length) focusCard(box.current, next, height)
    else return
    event.preventDefault()
  }
  // The card in the hand and the one with the focus stay drawn, wherever the column is scrolled to.
  const drawn = rows
    .map((row, index) => ({ row, index, id: rowId(row, view.idKey) }))
    .filter(({ index, id }) => (index >= first && index <= last) || index === current || id === held)
  return (
    <div ref={box} className="board-scroll">
      <ul className="board-cards" aria-label={t(column.label)} data-value={column.value}>
        {drawn.map(({ row, index, id }) => (
          <BoardCard
            key={id}
            {...rest}
            view={view}
            layout={layout}
            row={row}
            top={index * height + gap}
            isSelected={selected.has(id)}
            isActive={index === current}
            hasFocus={id === focused}
            place={`${index + 1} ${t('of')} ${rows.length}`}
            onFocus={() => setActive(index)}
            onWalk={(event) => walk(event, index)}
          />
        ))}
      </ul>
      <p className="board-space" style={{ insetBlockStart: rows.length * height + gap }}>
        {rows.length === 0 ? t('No cards here') : hasMore ? t('Loading more') : ''}
      </p>
    </div>
  )
}

/** Scrolls the card of that index into view and gives it the focus, as soon as it is drawn. */
function focusCard(box: HTMLElement | null, index: number, height: number): void {
  if (!box) return
  const top = index * height
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + height > box.scrollTop + box.clientHeight - gap) box.scrollTop = top + height - box.clientHeight + 2 * gap
  const focus = () => {
    const card = [...box.querySelectorAll<HTMLElement>('.board-card')].find(({ style }) => style.insetBlockStart === `${top + gap}px`)
    card?.focus({ preventScroll: true })
    return card !== undefined
  }
  if (!focus()) requestAnimationFrame(() => requestAnimationFrame(focus))
}

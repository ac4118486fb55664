import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useRef } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { ListView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { rowStateKey } from '../../../../data/records.ts'
import { t } from '../../../../session/labels.ts'
import { rowId } from '../../../actions/call.ts'
import { FieldValue } from '../../../FieldValue.tsx'
import type { Leaving } from './CellEditor.tsx'
import { drawnColumns } from './columns.ts'
import { editableField, editableKeys, nextCell } from './inline.ts'
import type { CellPlace } from './inline.ts'
import type { ListBodyProps } from '../list-body-props.ts'
import { isGap, isRow } from '../pages.ts'
import type { ListRow } from '../pages.ts'
import { recordPath, titleOf } from './table-columns.tsx'
import type { CellSeams } from './table-columns.tsx'
import { useGridKeys } from './useGridKeys.ts'
import { useInlineEdit } from './useInlineEdit.ts'
import type { OpenCell } from './useInlineEdit.ts'

const CellEditor = lazy(async () => ({ default: (await import('./CellEditor.tsx')).CellEditor }))

interface GridOptions {
  place: React.RefObject<HTMLDivElement | null>
  show: (index: number) => void
  toggle: (row: Row) => void
}

/** A second click within this time means the cell, not the record. */
const doubleClickMs = 250
const readHelp = 'Arrow keys choose a row, Enter opens it, Space shows it here, X selects it.'
const editHelp = 'Left and right choose a cell, F2 or Enter changes it.'

/** The table as a grid: the keyboard's place in it, cells that open for editing, and what clicks mean. */
export function useGrid(
  { view, params, rows: { rows, total, isLoading }, state, arrangement, currency, onPeek }: ListBodyProps,
  { place, show, toggle }: GridOptions,
) {
  const navigate = useNavigate()
  const gridId = useId()
  const keys = useMemo(() => drawnColumns(view, arrangement.columns).map((column) => column.key), [view, arrangement.columns])
  const editable = useMemo(() => editableKeys(view, keys), [view, keys])
  const idOf = useCallback((row: Row) => rowId(row, view.idKey), [view.idKey])
  const rowOf = (id: string) => rows.filter(isRow).find((row) => idOf(row) === id)
  const inline = useInlineEdit({ view, params, rowOf })
  const { cell, open, enter, shown, isWaiting, ...conflict } = inline
  const edit = (row: Row, key: string | undefined) => {
    const chosen = key ?? editable.find((one) => editableField(view, one, row))
    if (chosen === undefined || !editableField(view, chosen, row)) return false
    open({ id: idOf(row), key: chosen })
    return true
  }
  const mayOpen = (to: CellPlace) => {
    const row = rowOf(to.id)
    return row !== undefined && editableField(view, to.key, row) !== undefined
  }
  const openRecord = (row: Row) => {
    const path = recordPath(view, row)
    if (path) void navigate({ to: path })
    else onPeek(idOf(row))
  }
  const {
    place: at,
    setPlace,
    onKeyDown,
    onFocus,
  } = useGridKeys({
    rows,
    keys,
    isPeeking: state.peek !== undefined,
    commands: { open: openRecord, peek: (row) => onPeek(idOf(row)), toggle, edit, show },
  })
  const leave = (from: OpenCell, leaving: Leaving) => {
    const next =
      leaving === 'stay'
        ? undefined
        : nextCell(
            rows.map((row) => (isGap(row) ? '' : idOf(row))),
            editable,
            from,
            leaving === 'next' ? 1 : -1,
            mayOpen,
          )
    open(next?.id ? next : undefined)
    const target = next?.id ? next : from
    const row = rows.findIndex((one) => !isGap(one) && idOf(one) === target.id)
    setPlace({ row, column: keys.indexOf(target.key) })
    if (next?.id) show(row)
    else place.current?.focus()
  }
  const click = useClicks()
  useGridRole(place, { label: t(view.title), total, isDrawn: !isLoading })
  const editor = editorOf({ view, currency, cell, idOf, enter, leave })
  const seams = useMemo(
    (): CellSeams => ({
      shown,
      editor,
      props: (row, index, column, key) => ({
        role: 'gridcell',
        id: `${gridId}-${index}-${column}`,
        className: index === at.row && column === at.column ? 'cell-active' : undefined,
        ...(editable.includes(key) && editableField(view, key, row)
          ? {
              'data-editable': true,
              onClick: (event: React.MouseEvent) => {
                event.stopPropagation()
                setPlace({ row: index ?? null, column })
                const link = callLink(event)
                click.once(() => (link ? location.assign(link) : onPeek(idOf(row))))
              },
              onDoubleClick: () => {
                click.cancel()
                open({ id: idOf(row), key })
              },
            }
          : {}),
      }),
    }),
    [view, at, editable, editor, shown, gridId, click, idOf, open, setPlace, onPeek],
  )
  const activeRow = at.row === null ? undefined : rows[at.row]
  return {
    ...conflict,
    conflict: conflict.conflict,
    row: at.row,
    column: at.column,
    seams,
    onKeyDown,
    onFocus,
    help: editable.length > 0 ? `${t(readHelp)} ${t(editHelp)}` : t(readHelp),
    isWaiting: (row: ListRow) => !isGap(row) && (row[rowStateKey] === 'pending' || isWaiting(idOf(row))),
    activeId: at.row !== null && at.column !== null ? `${gridId}-${at.row}-${at.column}` : undefined,
    words: activeRow && !isGap(activeRow) && at.column === null ? `${t('Row')} ${(at.row ?? 0) + 1}: ${titleOf(view, activeRow)}` : '',
  }
}

interface EditorInput {
  view: ListView
  currency: string
  cell: OpenCell | undefined
  idOf: (row: Row) => string
  enter: (cell: OpenCell, value: unknown) => boolean
  leave: (from: OpenCell, leaving: Leaving) => void
}

const noEditor = () => null

/** The input of the open cell. While none is open it is always the same function, so that the columns stay as they are. */
function editorOf({ view, currency, cell, idOf, enter, leave }: EditorInput): CellSeams['editor'] {
  if (!cell) return noEditor
  return (row, key) => {
    const field = cell.key === key && cell.id === idOf(row) ? editableField(view, key, row) : undefined
    return field ? (
      <Suspense fallback={<FieldValue field={field} record={row} currency={currency} />}>
        <CellEditor
          key={`${cell.id} ${cell.key}`}
          field={field}
          row={row}
          cell={cell}
          label={titleOf(view, row)}
          onCancel={() => leave(cell, 'stay')}
          onEnter={(value, leaving) => {
            if (enter(cell, value)) leave(cell, leaving)
          }}
        />
      </Suspense>
    ) : null
  }
}

/** The address of a number or mailbox under the click; following it waits for the second click as well. */
function callLink(event: React.MouseEvent): string | undefined {
  const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('a[href^="tel:"], a[href^="mailto:"]')
  if (link) event.preventDefault()
  return link?.href
}

/** antd lets nobody name the box around head and rows; for assistive technology it is the grid. */
function useGridRole(
  place: React.RefObject<HTMLElement | null>,
  { label, total, isDrawn }: { label: string; total: number; isDrawn: boolean },
) {
  useEffect(() => {
    const grid = place.current?.querySelector('.ant-table')
    for (const [name, value] of Object.entries({ role: 'grid', 'aria-label': label, 'aria-rowcount': String(total + 1) }))
      grid?.setAttribute(name, value)
  }, [place, label, total, isDrawn])
}

/** One click waits whether a second one follows. */
function useClicks() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(() => {
    const cancel = () => clearTimeout(timer.current)
    const once = (act: () => void) => {
      cancel()
      timer.current = setTimeout(act, doubleClickMs)
    }
    return { cancel, once }
  }, [])
}

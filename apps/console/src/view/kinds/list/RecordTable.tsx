import { useEffect, useMemo, useRef } from 'react'
import type { Key } from 'react'
import { Table } from 'antd'
import type { GetRef } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { rowId } from '../../actions/call.ts'
import { LoadingState } from '../../states/index.tsx'
import type { ListBodyProps } from './ListBody.tsx'
import { rowHeights, tableSizes } from './columns.ts'
import { sortText } from './list-state.ts'
import { isGap, pagesAround } from './pages.ts'
import type { ListRow } from './pages.ts'
import { sortedAlso, sortedBy } from './sorting.ts'
import { recordPath, tableColumns, titleOf } from './table-columns.tsx'
import { useRowKeys } from './useRowKeys.ts'
import { useTableHeight } from './useTableHeight.ts'

type TableRef = GetRef<typeof Table>
const selectionWidth = 44

/** The rows as a virtual table: only what is on the screen is drawn and fetched. */
export function RecordTable({ view, rows, state, arrangement, currency, actions, selected, onSelect, onChange, onPeek, onRun, onPage }: ListBodyProps) {
  const place = useRef<HTMLDivElement>(null)
  const table = useRef<TableRef>(null)
  const height = useTableHeight(place)
  const isShift = useRef(false)
  const rowHeight = rowHeights[arrangement.density]
  const navigate = useNavigate()
  const columns = useMemo(
    () => tableColumns({ view, columns: arrangement.columns, sort: state.sort, currency, actions, onPeek, onRun, onHeader: (event) => { isShift.current = event.shiftKey } }),
    [view, arrangement.columns, state.sort, currency, actions, onPeek],
  )
  const width = columns.reduce((sum, column) => sum + Number(column.width ?? 120), onSelect ? selectionWidth : 0)
  const look = useLook({ rows, size: view.pageSize, rowHeight, height, onPage })
  useFirstPlace(table, { page: state.page, size: view.pageSize, isReady: rows.total > 0 && !rows.isFormer })
  useTop(table, sortText(state.sort))
  const open = (row: Row) => {
    const path = recordPath(view, row)
    if (path) void navigate({ to: path })
    else onPeek(rowId(row, view.idKey))
  }
  const toggle = (row: Row) => onSelect?.(toggled(selected, rowId(row, view.idKey), row))
  const { active, onKeyDown, onFocus } = useRowKeys(rows.rows, { open, peek: (row) => onPeek(rowId(row, view.idKey)), toggle, show: (index) => table.current?.scrollTo({ index }) })
  const activeRow = active === null ? undefined : rows.rows[active]
  return (
    <div
      ref={place} className="record-table" style={{ '--row-height': `${rowHeights[arrangement.density]}px` } as React.CSSProperties} role="group" tabIndex={0} onKeyDown={onKeyDown} onFocus={onFocus}
      aria-label={`${t(view.title)}. ${t('Arrow keys choose a row, Enter opens it, Space shows it here, X selects it.')}`}
    >
      <span className="o-hidden" role="status">{activeRow && !isGap(activeRow) ? `${t('Row')} ${(active ?? 0) + 1}: ${titleOf(view, activeRow)}` : ''}</span>
      {rows.isLoading ? <LoadingState rows={Math.ceil(height / rowHeight) + 1} /> : (
        <Table<ListRow>
          ref={table} virtual size={tableSizes[arrangement.density]} columns={columns} dataSource={rows.rows as ListRow[]} pagination={false} scroll={{ x: width, y: height }}
          rowKey={(row) => isGap(row) ? `gap ${row.index}` : rowId(row, view.idKey)} onScroll={look} sortDirections={['ascend', 'descend', 'ascend']}
          onChange={(_, __, sorter) => {
            // antd names the column that was touched last.
            const { columnKey } = [sorter].flat().at(-1) ?? {}
            if (columnKey) onChange({ sort: (isShift.current ? sortedAlso : sortedBy)(state.sort, String(columnKey)) })
          }}
          rowSelection={onSelect ? {
            columnWidth: selectionWidth, fixed: true, selectedRowKeys: [...selected.keys()], preserveSelectedRowKeys: true,
            getCheckboxProps: (row) => ({ disabled: isGap(row), 'aria-label': isGap(row) ? t('Loading') : `${t('Select')} ${titleOf(view, row)}` }) as never,
            onChange: (keys, chosen) => onSelect(chosenRows(keys, chosen, selected, view.idKey)),
          } : undefined}
          rowClassName={(row, index) => (index === active ? 'row-active' : '') + (!isGap(row) && rowId(row, view.idKey) === state.peek ? ' row-peeked' : '')}
          onRow={(row) => isGap(row) ? {} : { onClick: () => onPeek(rowId(row, view.idKey)) }}
        />
      )}
    </div>
  )
}

/** Rows by id; those that scrolled away are kept from before. */
function chosenRows(keys: readonly Key[], chosen: readonly ListRow[], before: ReadonlyMap<string, Row>, idKey: string): Map<string, Row> {
  const byId = new Map(chosen.filter((row): row is Row => row !== undefined && !isGap(row)).map((row) => [rowId(row, idKey), row]))
  return new Map(keys.map(String).flatMap((key) => {
    const row = byId.get(key) ?? before.get(key)
    return row ? [[key, row] as const] : []
  }))
}

export function toggled(selected: ReadonlyMap<string, Row>, id: string, row: Row): Map<string, Row> {
  const next = new Map(selected)
  if (!next.delete(id)) next.set(id, row)
  return next
}

interface LookInput { rows: ListBodyProps['rows'], size: number, rowHeight: number, height: number, onPage: (page: number) => void }
const settleMs = 250

/** Follows the scrolling: says which pages are on the screen, and, once it rests, which page comes first. */
function useLook({ rows, size, rowHeight, height, onPage }: LookInput) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const place = useRef(-1)
  useEffect(() => () => clearTimeout(timer.current), [])
  const lookAt = (top: number) => {
    const first = Math.floor(top / rowHeight)
    rows.show(pagesAround(first, first + Math.ceil(height / rowHeight), size, rows.total))
    return first
  }
  useEffect(() => { if (place.current >= 0 && !rows.isFormer && rows.total > 0) lookAt(place.current) }, [rows.total, rows.isFormer])
  return (event: React.UIEvent) => {
    place.current = event.currentTarget.scrollTop
    const first = lookAt(place.current)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onPage(Math.floor(first / size) + 1), settleMs)
  }
}

/** A list sorted anew is read from its top. */
function useTop(table: React.RefObject<TableRef | null>, sort: string) {
  const last = useRef(sort)
  useEffect(() => {
    if (last.current !== sort) table.current?.scrollTo({ top: 0 })
    last.current = sort
  }, [sort])
}

/** An address that names a page opens the list there, once. */
function useFirstPlace(table: React.RefObject<TableRef | null>, { page, size, isReady }: { page: number, size: number, isReady: boolean }) {
  const isDone = useRef(page <= 1)
  useEffect(() => {
    if (isDone.current || !isReady) return
    isDone.current = true
    requestAnimationFrame(() => table.current?.scrollTo({ index: (page - 1) * size }))
  }, [isReady])
}

import { createElement, lazy, Suspense, useMemo, useRef } from 'react'
import type { Key } from 'react'
import { Table } from 'antd'
import type { Row } from '../../../../data/records.ts'
import { t } from '../../../../session/labels.ts'
import { rowId } from '../../../actions/call.ts'
import { LoadingState } from '../../../states/index.tsx'
import type { ListBodyProps } from '../list-body-props.ts'
import { rowHeights, tableSizes } from './columns.ts'
import { sortText } from '../list-state.ts'
import { isGap } from '../pages.ts'
import type { ListRow } from '../pages.ts'
import { sortedAlso, sortedBy } from '../filter/sorting.ts'
import { menuWidth, tableColumns, titleOf } from './table-columns.tsx'
import { useFirstPlace, useLook, useTop } from './table-scroll.ts'
import type { TableRef } from './table-scroll.ts'
import { useGrid } from './useGrid.tsx'
import { useTableHeight } from './useTableHeight.ts'
import { useWidths } from './useWidths.ts'

const ConflictDialog = lazy(async () => ({ default: (await import('../../form/ConflictDialog.tsx')).ConflictDialog }))
const selectionWidth = 44
const gridcell = () => ({ role: 'gridcell' })

/** antd draws the head as a table of its own; for assistive technology head and rows are one grid, which asks for the roles by name. */
const part = (tag: 'table' | 'thead' | 'tr' | 'th', role: string) => (props: object) => createElement(tag, { ...props, role })
const gridParts = {
  header: {
    table: part('table', 'presentation'),
    wrapper: part('thead', 'rowgroup'),
    row: part('tr', 'row'),
    cell: part('th', 'columnheader'),
  },
}

/** Of the bar with its distance, as view.css has it. */
const selectionBarHeight = 64

/** The rows as a virtual table: only what is on the screen is drawn and fetched. */
export function RecordTable(props: ListBodyProps) {
  const { view, rows, state, arrangement, currency, actions, selected, onSelect, onChange, onPeek, onRun, onPage } = props
  const place = useRef<HTMLDivElement>(null)
  const table = useRef<TableRef>(null)
  // The bar of what is selected lies below the rows, not over them.
  const height = useTableHeight(place) - (selected.size > 0 ? selectionBarHeight : 0)
  // antd says which header was chosen, but not by which click or key.
  const isShift = useRef(false)
  const noteShift = (event: { shiftKey: boolean }) => {
    isShift.current = event.shiftKey
  }
  const rowHeight = rowHeights[arrangement.density]
  const grid = useGrid(props, {
    place,
    show: (index) => table.current?.scrollTo({ index }),
    toggle: (row) => onSelect?.(toggled(selected, rowId(row, view.idKey), row)),
  })
  const widths = useWidths(place, props, menuWidth + (onSelect ? selectionWidth : 0))
  const columns = useMemo(
    () =>
      tableColumns({
        view,
        columns: arrangement.columns,
        widths,
        sort: state.sort,
        currency,
        actions,
        onPeek,
        onRun,
        cell: grid.seams,
      }),
    [view, arrangement.columns, widths, state.sort, currency, actions, onPeek, onRun, grid.seams],
  )
  const width = columns.reduce((sum, column) => sum + Number(column.width ?? 120), onSelect ? selectionWidth : 0)
  const look = useLook({ rows, size: view.pageSize, rowHeight, height, onPage })
  useFirstPlace(table, { page: state.page, size: view.pageSize, isReady: rows.total > 0 && !rows.isFormer })
  useTop(table, sortText(state.sort))
  const classOf = (row: ListRow, index: number) =>
    [
      index === grid.row && grid.column === null ? 'row-active' : '',
      !isGap(row) && rowId(row, view.idKey) === state.peek ? 'row-peeked' : '',
      grid.isWaiting(row) ? 'row-waiting' : '',
    ].join(' ')
  return (
    <div
      ref={place}
      className="record-table"
      style={{ '--row-height': `${rowHeight}px` } as React.CSSProperties}
      role="group"
      tabIndex={0}
      onKeyDown={grid.onKeyDown}
      onClickCapture={noteShift}
      onKeyDownCapture={noteShift}
      onFocus={grid.onFocus}
      aria-label={`${t(view.title)}. ${t(grid.help)}`}
      aria-activedescendant={grid.activeId}
    >
      <span className="o-hidden" role="status">
        {grid.words}
      </span>
      {rows.isLoading ? (
        <LoadingState rows={Math.ceil(height / rowHeight) + 1} />
      ) : (
        <Table<ListRow>
          // antd calculates with the heights of its own sizes until a row is drawn; far places are found by ours.
          {...{ listItemHeight: rowHeight }}
          ref={table}
          virtual
          size={tableSizes[arrangement.density]}
          columns={columns}
          dataSource={rows.rows as ListRow[]}
          pagination={false}
          scroll={{ x: width, y: height }}
          rowKey={(row) => (isGap(row) ? `gap ${row.index}` : rowId(row, view.idKey))}
          onScroll={look}
          sortDirections={['ascend', 'descend', 'ascend']}
          components={gridParts}
          onChange={(_, __, sorter) => {
            // antd names the column that was touched last.
            const { columnKey } = [sorter].flat().at(-1) ?? {}
            if (columnKey) onChange({ sort: (isShift.current ? sortedAlso : sortedBy)(state.sort, String(columnKey)) })
          }}
          rowSelection={
            onSelect
              ? {
                  columnWidth: selectionWidth,
                  fixed: true,
                  selectedRowKeys: [...selected.keys()],
                  preserveSelectedRowKeys: true,
                  onCell: gridcell,
                  getCheckboxProps: (row) =>
                    ({ disabled: isGap(row), 'aria-label': isGap(row) ? t('Loading') : `${t('Select')} ${titleOf(view, row)}` }) as never,
                  onChange: (keys, chosen) => onSelect(chosenRows(keys, chosen, selected, view.idKey)),
                }
              : undefined
          }
          rowClassName={classOf}
          onRow={(row, index) => ({
            role: 'row',
            'aria-rowindex': (index ?? 0) + 2,
            ...(isGap(row) ? {} : { onClick: () => onPeek(rowId(row, view.idKey)) }),
          })}
        />
      )}
      {grid.dialog}
      {grid.conflict ? (
        <Suspense fallback={null}>
          <ConflictDialog
            conflicts={grid.conflict.conflicts}
            theirs={grid.conflict.theirs}
            currency={currency}
            backWords="Leave it as theirs"
            onResolve={grid.resolve}
            onClose={grid.dismiss}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Rows by id; those that scrolled away are kept from before. */
function chosenRows(keys: readonly Key[], chosen: readonly ListRow[], before: ReadonlyMap<string, Row>, idKey: string): Map<string, Row> {
  const byId = new Map(chosen.filter((row): row is Row => row !== undefined && !isGap(row)).map((row) => [rowId(row, idKey), row]))
  return new Map(
    keys.map(String).flatMap((key) => {
      const row = byId.get(key) ?? before.get(key)
      return row ? [[key, row] as const] : []
    }),
  )
}

export function toggled(selected: ReadonlyMap<string, Row>, id: string, row: Row): Map<string, Row> {
  const next = new Map(selected)
  if (!next.delete(id)) next.set(id, row)
  return next
}

import { useCallback, useMemo, useRef, useState } from 'react'
import { Button, Table } from 'antd'
import { t } from '../../../../session/labels.ts'
import { rowId } from '../../../actions/call.ts'
import { LoadingState } from '../../../states/index.tsx'
import type { ListBodyProps } from '../list-body-props.ts'
import { rowHeights, tableSizes } from './columns.ts'
import { isGap, isRow } from '../pages.ts'
import type { ListRow } from '../pages.ts'
import { tableColumns } from './table-columns.tsx'
import { branchIds, growGroups, growTree, isHeading } from './tree.ts'
import type { TreeRow } from './tree.ts'
import { useTableHeight } from './useTableHeight.ts'

/** Records that are below one another, all loaded at once; a search shows what it found at the top. */
export function TreeTable({ view, rows, state, arrangement, currency, actions, onPeek, onRun }: ListBodyProps) {
  const place = useRef<HTMLDivElement>(null)
  const height = useTableHeight(place)
  const idOf = useCallback((row: ListRow) => (isGap(row) ? `gap ${row.index}` : rowId(row, view.idKey)), [view.idKey])
  const tree = useMemo(() => {
    const { idKey, titleKey, groupBy, parentKey = 'parentId' } = view
    const records = rows.rows.filter(isRow)
    return groupBy === undefined ? growTree(records, idOf, parentKey) : growGroups(records, { idKey, titleKey, groupBy })
  }, [rows.rows, idOf, view])
  const branches = useMemo(() => branchIds(tree, idOf), [tree, idOf])
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(
    () =>
      tableColumns({ view, columns: arrangement.columns, sort: state.sort, currency, actions, onPeek, onRun }).map(
        ({ sorter: _sorter, sortOrder: _order, ...column }) => column,
      ),
    [view, arrangement.columns, state.sort, currency, actions, onPeek, onRun],
  )
  if (rows.isLoading) return <LoadingState rows={10} />
  return (
    <div ref={place} className="record-table" style={{ '--row-height': `${rowHeights[arrangement.density]}px` } as React.CSSProperties}>
      <div className="tree-bar">
        <Button type="link" size="small" onClick={() => setClosed(new Set())}>
          {t('Open all')}
        </Button>
        <Button type="link" size="small" onClick={() => setClosed(new Set(branches))}>
          {t('Close all')}
        </Button>
      </div>
      <Table<TreeRow>
        {...{ listItemHeight: rowHeights[arrangement.density] }}
        virtual
        size={tableSizes[arrangement.density]}
        columns={columns as never}
        dataSource={tree}
        pagination={false}
        rowKey={idOf}
        scroll={{ x: columns.reduce((sum, column) => sum + Number(column.width ?? 120), 0), y: height - 40 }}
        expandable={{
          expandedRowKeys: branches.filter((id) => !closed.has(id)),
          indentSize: 20,
          onExpand: (isOpen, row) =>
            setClosed((before) => (isOpen ? new Set([...before].filter((id) => id !== idOf(row))) : new Set([...before, idOf(row)]))),
        }}
        rowClassName={(row) => (isHeading(row) ? 'row-heading' : idOf(row) === state.peek ? 'row-peeked' : '')}
        onRow={(row) => (isHeading(row) ? {} : { onClick: () => onPeek(idOf(row)) })}
      />
    </div>
  )
}

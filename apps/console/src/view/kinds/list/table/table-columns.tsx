import type { TableColumnType } from 'antd'
import type { ActionView, ListView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { rowStateKey } from '../../../../data/records.ts'
import { t } from '../../../../session/labels.ts'
import { ActionMenu } from '../../../actions/ActionMenu.tsx'
import { offered } from '../../../actions/offered.ts'
import { rowId } from '../../../actions/call.ts'
import { fieldKindView } from '../../../fields/index.ts'
import { Label } from '../../../fields/parts/tag.tsx'
import { FieldValue } from '../../../FieldValue.tsx'
import { pathOf, RecordLink } from '../../../RecordLink.tsx'
import { isBlank } from '../../../formats.ts'
import { drawnColumns, usualWidth } from './columns.ts'
import type { ColumnState } from './columns.ts'
import type { Sort } from '../list-state.ts'
import { isGap } from '../pages.ts'
import type { ListRow } from '../pages.ts'
import { rankOf } from '../filter/sorting.ts'
import { isHeading } from './tree.ts'

export interface CellSeams {
  /** The row with what was entered and is on its way. */
  shown: (row: Row) => Row
  editor: (row: Row, key: string) => React.ReactNode
  props: (row: Row, index: number | undefined, column: number, key: string) => React.HTMLAttributes<HTMLElement>
}

interface TableColumnsInput {
  view: ListView
  columns: readonly ColumnState[]
  /** Widths by key, where they were fitted to the screen. */
  widths?: ReadonlyMap<string, number>
  sort: readonly Sort[]
  currency: string
  actions: readonly ActionView[]
  /** What is in a cell instead of its value, and what clicks on it mean. */
  cell?: CellSeams
  onPeek: (id: string) => void
  onRun: (action: ActionView, row: Row) => void
}

export const menuWidth = 56

/** antd's columns for a view: titles, sorters, cells by kind, the record's link in the first one, the menu in the last. */
export function tableColumns({
  view,
  columns,
  widths,
  sort,
  currency,
  actions,
  cell: seams,
  onPeek,
  onRun,
}: TableColumnsInput): TableColumnType<ListRow>[] {
  const drawn = drawnColumns(view, columns)
  const titleKey = drawn.some((column) => column.key === view.titleKey) ? view.titleKey : drawn[0]?.key
  // However far the table is scrolled to the side, the first column says whose row it is.
  const isLoose = drawn.every(({ pin }) => pin !== 'left')
  const cells = drawn.map(({ key, width, sortable, align, pin }, column): TableColumnType<ListRow> => {
    const field = view.fields.find((one) => one.key === key) ?? { key, kind: 'text' as const, label: key }
    const kind = fieldKindView(field.kind)
    return {
      key,
      dataIndex: key,
      title: titleWith(t(field.label), rankOf(sort, key)),
      width: widths?.get(key) ?? usualWidth(width, kind.width, key === titleKey),
      align: align ?? kind.align,
      ellipsis: true,
      fixed: column === 0 && isLoose ? 'left' : pin,
      ...(sortable
        ? {
            // All columns are sorted together for antd, so that it marks each; which of them a click means is ours to say.
            sorter: { multiple: 1 },
            sortDirections: ['ascend', 'descend', 'ascend'] as const,
            sortOrder: orderOf(sort, key),
            showSorterTooltip: false,
          }
        : {}),
      ...(seams
        ? { onCell: (row: ListRow, index?: number) => (isGap(row) ? { role: 'gridcell' } : seams.props(row, index, column, key)) }
        : {}),
      render: (_, given) => {
        if (isGap(given)) return <span className="cell-gap" />
        const editor = seams?.editor(given, key)
        if (editor) return editor
        const row = seams?.shown(given) ?? given
        const value = <FieldValue field={field} record={row} currency={currency} />
        return key === titleKey ? (
          <TitleCell view={view} row={row}>
            {value}
          </TitleCell>
        ) : (
          value
        )
      },
    }
  })
  const menu: TableColumnType<ListRow> = {
    key: '_menu',
    title: <span className="o-hidden">{t('Actions')}</span>,
    width: menuWidth,
    fixed: 'right',
    align: 'center',
    ...(seams ? { onCell: () => ({ role: 'gridcell' }) } : {}),
    render: (_, row) =>
      isGap(row) || isHeading(row) ? null : (
        <ActionMenu
          actions={offered(actions, row)}
          label={`${t('Actions for')} ${titleOf(view, row)}`}
          onRun={(action) => onRun(action, row)}
          extra={[{ key: '_peek', label: t('Look at it here'), run: () => onPeek(rowId(row, view.idKey)) }]}
        />
      ),
  }
  return [...cells, menu]
}

function orderOf(sorts: readonly Sort[], key: string) {
  const own = sorts.find((sort) => sort.field === key)
  if (!own) return null
  return own.order === 'ASC' ? 'ascend' : 'descend'
}

/** A column's name and, when several columns sort the list, its place among them. */
const titleWith = (label: string, rank: number | undefined) =>
  rank === undefined ? (
    label
  ) : (
    <>
      {label}
      <span className="sort-rank">
        <span className="o-hidden">{`, ${t('sorted as number')} `}</span>
        {rank}
      </span>
    </>
  )

/** What a record is called. */
export const titleOf = (view: Pick<ListView, 'titleKey' | 'idKey'>, row: Row): string =>
  isBlank(row[view.titleKey]) ? rowId(row, view.idKey) : String(row[view.titleKey])

/** Screen of a record: the one that shows it, else the one that edits it. */
export const screenOf = (view: ListView): string | undefined => view.routes.view ?? view.routes.edit

/** The cell that names the record and leads to it; says when this device still holds unsent changes of it. */
export function TitleCell({ view, row, children }: { view: ListView; row: Row; children: React.ReactNode }) {
  const state = row[rowStateKey]
  return (
    <span className="cell-title">
      <RecordLink screen={screenOf(view)} id={rowId(row, view.idKey)} values={row}>
        {children}
      </RecordLink>
      {state === 'pending' ? <Label className="tag-info">{t('to be sent')}</Label> : null}
      {state === 'attention' ? <Label className="tag-bad">{t('refused')}</Label> : null}
    </span>
  )
}

export const recordPath = (view: ListView, row: Row): string | undefined => {
  const screen = screenOf(view)
  return screen ? pathOf(screen, { ...row, id: rowId(row, view.idKey) }) : undefined
}

import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Checkbox } from 'antd'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { ActionMenu } from '../../actions/ActionMenu.tsx'
import { offered } from '../../actions/offered.ts'
import { rowId } from '../../actions/call.ts'
import { FieldValue } from '../../FieldValue.tsx'
import { LoadingState } from '../../states/index.tsx'
import { drawnColumns } from './table/columns.ts'
import type { ListBodyProps } from './list-body-props.ts'
import { isGap } from './pages.ts'
import { toggled } from './table/RecordTable.tsx'
import { recordPath, TitleCell, titleOf } from './table/table-columns.tsx'

const cardFields = 4

/** The rows as cards, for phones and for lists of cards: name, state and the first few columns; more come as the end is reached. */
export function CardList(props: ListBodyProps) {
  const { view, rows, arrangement, isPhone: _isPhone } = props
  const [pages, setPages] = useState(1)
  const shown = useMemo(() => rows.rows.slice(0, pages * view.pageSize), [rows.rows, pages, view.pageSize])
  const columns = drawnColumns(view, arrangement.columns)
    .filter((column) => column.key !== view.titleKey)
    .slice(0, cardFields)
  const hasMore = rows.rows.length > shown.length
  const more = () => {
    setPages(pages + 1)
    rows.show(Array.from({ length: pages + 1 }, (_, i) => i + 1).slice(-2))
  }
  if (rows.isLoading) return <LoadingState rows={6} />
  return (
    <>
      <ul className="card-list" aria-label={t(view.title)}>
        {shown.map((row) =>
          isGap(row) ? (
            <li key={`gap ${row.index}`} className="record-card record-card-gap" aria-hidden />
          ) : (
            <Card key={rowId(row, view.idKey)} {...props} row={row} columns={columns.map((column) => column.key)} />
          ),
        )}
      </ul>
      {hasMore ? <Sentinel key={pages} onSeen={more} /> : null}
    </>
  )
}

function Card({
  view,
  row,
  columns,
  currency,
  actions,
  selected,
  onSelect,
  onRun,
  onPeek,
}: ListBodyProps & { row: Row; columns: readonly string[] }) {
  const id = rowId(row, view.idKey)
  const title = view.fields.find((field) => field.key === view.titleKey)
  const name = (
    <TitleCell view={view} row={row}>
      {title ? <FieldValue field={title} record={row} currency={currency} /> : titleOf(view, row)}
    </TitleCell>
  )
  return (
    <li className="record-card" data-selected={selected.has(id)}>
      <div className="record-card-head">
        {onSelect ? (
          <Checkbox
            checked={selected.has(id)}
            aria-label={`${t('Select')} ${titleOf(view, row)}`}
            onChange={() => onSelect(toggled(selected, id, row))}
          />
        ) : null}
        <strong>
          {recordPath(view, row) ? (
            name
          ) : (
            <button type="button" className="o-text-button" onClick={() => onPeek(id)}>
              {name}
            </button>
          )}
        </strong>
        <ActionMenu
          actions={offered(actions, row)}
          label={`${t('Actions for')} ${titleOf(view, row)}`}
          onRun={(action) => onRun(action, row)}
        />
      </div>
      <dl>
        {view.fields
          .filter((field) => columns.includes(field.key))
          .map((field) => (
            <div key={field.key}>
              <dt>{t(field.label)}</dt>
              <dd>
                <FieldValue field={field} record={row} currency={currency} />
              </dd>
            </div>
          ))}
      </dl>
    </li>
  )
}

/** Tells once that the end of the cards is near. */
function Sentinel({ onSeen }: { onSeen: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const tell = useEffectEvent(onSeen)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) tell()
      },
      { rootMargin: '600px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className="card-sentinel" role="status">
      {t('Loading more')}
    </div>
  )
}

import { lazy, Suspense, useState } from 'react'
import dayjs from 'dayjs'
import { Button } from 'antd'
import { BarChartOutlined, TableOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WidgetUnit, WidgetView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import { fillPath } from '../../../data/paths.ts'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { dateShape, formatCompanyDateTime, formatDate, formatMoney, formatNumber } from '../../formats.ts'
import { ErrorState, LoadingState } from '../../states/index.tsx'
import { Bars, Donut, Funnel, Line, MarkLink } from './charts.tsx'
import { figureOf, marksOf, tableKeys, valueAt } from './series.ts'

/** Leaflet comes with the first map. */
const PlacesMap = lazy(() => import('./PlacesMap.tsx').then((file) => ({ default: file.PlacesMap })))

export interface WidgetProps {
  widget: WidgetView
  params?: Record<string, string>
  /** Sent with the call: the period of the dashboard. */
  query?: Record<string, string | undefined>
  /** The same as days, for `:startDate` and `:endDate` in what a click opens. */
  period?: { startDate: string; endDate: string }
  refreshMs?: number | false
}

/** One tile: a number, a drawing or a table, each with its figures one click away. */
export function Widget({ widget: given, params = {}, query = {}, period, refreshMs = false }: WidgetProps) {
  const widget = period
    ? { ...given, open: given.open && withDays(given.open, period), openBefore: given.openBefore && withDays(given.openBefore, period) }
    : given
  const path = fillPath(widget.source.path, params)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['widget', widget.source.method, path, query],
    queryFn: async ({ signal }) => (await api.call(widget.source.method, path, { signal, query })).data,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const [isTable, setTable] = useState(false)
  const isDrawing = widget.draw !== 'number' && widget.draw !== 'table' && widget.draw !== 'map'
  const title = (
    <h2 id={`widget-${widget.id}`}>
      {widget.draw === 'number' || !widget.open || /[:?]/.test(widget.open) ? (
        t(widget.title)
      ) : (
        <Link to={widget.open}>{t(widget.title)}</Link>
      )}
      {widget.period && <small className="widget-period">{t(widget.period)}</small>}
    </h2>
  )
  return (
    <section
      className="widget"
      data-span={widget.span}
      data-draw={widget.draw}
      aria-labelledby={`widget-${widget.id}`}
      aria-busy={isFetching}
    >
      <header>
        {title}
        {isDrawing && data ? (
          <Button
            type="text"
            size="small"
            icon={isTable ? <BarChartOutlined aria-hidden /> : <TableOutlined aria-hidden />}
            aria-pressed={isTable}
            aria-label={`${t(isTable ? 'Show as drawing' : 'Show as table')}: ${t(widget.title)}`}
            onClick={() => setTable(!isTable)}
          />
        ) : null}
      </header>
      {error && !data ? (
        widget.draw === 'number' ? (
          <NoFigure error={error} onRetry={() => void refetch()} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} what={t('This tile')} />
        )
      ) : data ? (
        <Content widget={widget} data={data} isTable={isTable} />
      ) : (
        <LoadingState rows={widget.draw === 'number' ? 1 : 4} />
      )}
    </section>
  )
}

/** An address with the days of the period in it, or those of as many days before. */
function withDays(address: string, { startDate, endDate }: { startDate: string; endDate: string }): string {
  const [first, length] = [dayjs(startDate), dayjs(endDate).diff(startDate, 'day') + 1]
  const days = {
    startDate,
    endDate,
    startBefore: first.subtract(length, 'day').format(dateShape),
    endBefore: first.subtract(1, 'day').format(dateShape),
  }
  return address.replace(/:(startDate|endDate|startBefore|endBefore)\b/g, (_, name: keyof typeof days) => days[name])
}

function Content({ widget, data, isTable }: { widget: WidgetView; data: unknown; isTable: boolean }) {
  const { draw, title, open, openBefore, openKey } = widget
  if (draw === 'number') return <Figure widget={widget} data={data} />
  if (draw === 'map')
    return (
      <Suspense fallback={<LoadingState rows={4} />}>
        <PlacesMap places={valueAt(data, widget.value)} title={title} />
      </Suspense>
    )
  if (draw === 'table') return <PlainTable widget={widget} data={data} />
  const marks = marksOf(widget, data)
  if (marks.every((mark) => mark.value === 0)) return <p className="widget-none">{t('Nothing in this period')}</p>
  // The stages' rows are those that are there now, which is not the first figure of the table.
  if (isTable && draw === 'funnel') return <PlainTable widget={{ ...widget, open: undefined }} data={data} />
  if (isTable) return <MarkTable widget={widget} marks={marks} />
  const Chart = { bars: Bars, donut: Donut, line: Line, funnel: Funnel }[draw]
  return <Chart title={title} marks={marks} open={open} openBefore={openBefore} openKey={openKey} />
}

/** The number leads to its rows; below it the days it counts, and how they compare with those before. */
function Figure({ widget, data }: { widget: WidgetView; data: unknown }) {
  const { value, before, period, open } = figureOf(widget, data)
  const figure = useAmount()(value, widget.unit)
  const name = [t(widget.title), period && t(period)].filter(Boolean).join(', ')
  return (
    <>
      <p className="widget-number">
        {open ? (
          <Link {...target(open)} aria-label={`${name}: ${figure}`}>
            {figure}
          </Link>
        ) : (
          figure
        )}
      </p>
      {period || before !== undefined ? (
        <p className="widget-period">
          {period && t(period)}
          {before === undefined ? null : <Change value={value} before={before} />}
        </p>
      ) : null}
    </>
  )
}

/** A number that could not be read, in the room of the number: nothing below it moves, and why is said with the button that asks again. */
function NoFigure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <p className="widget-number widget-missing" role="alert">
      <Button size="small" title={error.message} onClick={onRetry}>
        {t('Retry')}
        <span className="o-hidden">: {error.message}</span>
      </Button>
    </p>
  )
}

/** A day or a moment as the company writes it; other words as they are. */
const momentWords = (value: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(value)
    ? formatDate(value)
    : /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)
      ? formatCompanyDateTime(value)
      : value

/** Writes a number in its unit. */
function useAmount(): (value: number, unit?: WidgetUnit) => string {
  const { currency } = useCompany()
  return (value, unit) => (unit === 'money' ? formatMoney(value, currency) : `${formatNumber(value)}${unit === 'percent' ? ' %' : ''}`)
}

/** Against as many days before; said in words too, as more is not always better. */
function Change({ value, before }: { value: number; before: number }) {
  const difference = value - before
  if (difference === 0) return <span className="widget-change">{t('as before')}</span>
  const words = `${formatNumber(Math.abs(difference))} ${t(difference > 0 ? 'more than before' : 'fewer than before')}`
  return (
    <span className="widget-change">
      <span aria-hidden>
        {difference > 0 ? '▲' : '▼'} {formatNumber(Math.abs(difference))}
      </span>
      <span className="o-hidden">{words}</span>
    </span>
  )
}

/** A path with a query, as the router wants it. */
function target(open: string) {
  const [to = '', search] = open.split('?')
  return { to, search: Object.fromEntries(new URLSearchParams(search)) as never }
}

const MarkTable = ({ widget, marks }: { widget: WidgetView; marks: ReturnType<typeof marksOf> }) => (
  <div className="widget-table" tabIndex={0} role="group" aria-label={t(widget.title)}>
    <table>
      <tbody>
        {marks.map((mark, index) => (
          <tr key={`${index} ${mark.label}`}>
            <th scope="row">
              <MarkLink open={widget.open} openKey={widget.openKey} mark={mark}>
                {t(mark.label)}
              </MarkLink>
            </th>
            <td>{formatNumber(mark.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function PlainTable({ widget, data }: { widget: WidgetView; data: unknown }) {
  const found = valueAt(data, widget.value)
  const amount = useAmount()
  const rows = Array.isArray(found) ? (found as Record<string, unknown>[]) : []
  if (rows.length === 0) return <p className="widget-none">{t('Nothing in this period')}</p>
  const columns = tableKeys(rows)
  const words = (value: unknown, key: string) =>
    typeof value === 'number' ? amount(value, widget.units?.[key]) : momentWords(String(value ?? ''))
  return (
    <div className="widget-table" tabIndex={0} role="group" aria-label={t(widget.title)}>
      <table>
        <thead>
          <tr>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" data-number={typeof rows[0]?.[key] === 'number'}>
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 100).map((row, index) => (
            <tr key={index}>
              {columns.map(({ key }, place) => (
                <td key={key} data-number={typeof row[key] === 'number'}>
                  {place === 0 ? (
                    <MarkLink open={widget.open} mark={{ label: '', value: 0, row }}>
                      {t(widget.words?.[String(row[key])] ?? words(row[key], key))}
                    </MarkLink>
                  ) : (
                    words(row[key], key)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

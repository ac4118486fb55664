import { lazy, Suspense, useRef } from 'react'
import { Alert, Button } from 'antd'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import type { ReportColumnKind, ReportPreview as Preview } from '@outpost/contract/report-preview'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { formatCompanyDateTime, formatDate, formatMoney, formatNumber } from '../../formats.ts'
import { ErrorText, LoadingState } from '../../states/index.tsx'
import { numberOf } from '../dashboard/series.ts'
import { ReportChart } from './ReportChart.tsx'

const ReportMap = lazy(() => import('./ReportMap.tsx').then(({ ReportMap: default_ }) => ({ default: default_ })))

interface PreviewProps {
  preview: Preview | undefined
  error: unknown
  isLoading: boolean
  onPage: (page: number) => void
}

/** Rows of a report as they would be in its file, page by page, with a drawing and a map of them. */
export function ReportPreview({ preview, error, isLoading, onPage }: PreviewProps) {
  return (
    <section className="form-card report-preview" aria-labelledby="report-preview" aria-busy={isLoading}>
      <h2 id="report-preview">{t('Preview')}</h2>
      {error ? <Alert type="error" showIcon title={<ErrorText error={error} />} role="alert" /> : null}
      {!preview && isLoading ? <LoadingState rows={6} /> : null}
      {preview ? <Rows preview={preview} onPage={onPage} /> : null}
    </section>
  )
}

function Rows({ preview, onPage }: { preview: Preview; onPage: (page: number) => void }) {
  const { columns, rows, filters, opens, places, page } = preview
  const { currency } = useCompany()
  const body = useRef<HTMLTableSectionElement>(null)
  const period = filters.map(({ label, value }) => `${t(label)} ${value}`).join(' · ')
  if (rows.length === 0 && page === 1)
    return (
      <>
        <p className="report-description">{period}</p>
        <p className="widget-none">{t('Nothing found')}</p>
      </>
    )
  const goTo = (index: number) => {
    const row = body.current?.rows[index]
    row?.scrollIntoView({ block: 'center' })
    row?.focus()
  }
  return (
    <>
      <p className="report-description" role="status">
        {[countWords(preview), period].filter(Boolean).join(' · ')}
      </p>
      <p className="report-description">{t(preview.definition)}</p>
      <div className="report-drawings">
        <ReportChart preview={preview} />
        {places ? (
          <div className="report-map">
            <Suspense fallback={<div className="report-map-wait" role="status" aria-label={t('Loading')} />}>
              <ReportMap preview={preview} onRow={goTo} />
            </Suspense>
          </div>
        ) : null}
      </div>
      <div className="panel-table" tabIndex={0} role="group" aria-label={t('Rows')}>
        <table>
          <thead>
            <tr>
              {columns.map(({ key, title, kind }) => (
                <th key={key} scope="col" data-number={isNumber(kind)}>
                  {t(title)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, index) => (
              <tr key={index} tabIndex={-1}>
                {columns.map(({ key, kind }) => (
                  <td key={key} data-number={isNumber(kind)}>
                    {opens?.[index]?.[key] ? (
                      <Link to={opens[index][key]}>{cellWords(row[key], kind, currency)}</Link>
                    ) : (
                      cellWords(row[key], kind, currency)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager preview={preview} onPage={onPage} />
    </>
  )
}

function Pager({ preview: { page, hasMore }, onPage }: { preview: Preview; onPage: (page: number) => void }) {
  if (page === 1 && !hasMore) return null
  return (
    <nav className="report-pager" aria-label={t('Pages')}>
      <Button icon={<LeftOutlined aria-hidden />} disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t('Previous rows')}
      </Button>
      <Button icon={<RightOutlined aria-hidden />} iconPlacement="end" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {t('Next rows')}
      </Button>
    </nav>
  )
}

function countWords({ rows, page, size, hasMore, total }: Preview): string {
  if (page === 1 && !hasMore) return `${formatNumber(rows.length)} ${t(rows.length === 1 ? 'row' : 'rows')}`
  const first = (page - 1) * size
  const span = `${formatNumber(first + (rows.length > 0 ? 1 : 0))}–${formatNumber(first + rows.length)}`
  return `${t('Rows')} ${span}${total === undefined ? '' : ` ${t('of')} ${formatNumber(total)}`}; ${t('the file holds all of them')}`
}

const isNumber = (kind: ReportColumnKind) => ['number', 'money', 'percent', 'duration'].includes(kind)

function cellWords(value: unknown, kind: ReportColumnKind, currency: string): string {
  if (value === null || value === undefined || value === '') return ''
  switch (kind) {
    case 'number':
      return formatNumber(value)
    case 'money':
      return formatMoney(value, currency)
    case 'percent':
      return `${formatNumber(Math.round(1_000 * numberOf(value)) / 10)} %`
    case 'date':
      return formatDate(value)
    case 'dateTime':
      return formatCompanyDateTime(value)
    case 'boolean':
      return t(value === true ? 'Yes' : 'No')
    case 'duration':
      return clock(numberOf(value))
    case 'text':
      return Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value as string)
  }
}

/** Seconds as hours and minutes: 26:03. */
const clock = (seconds: number) => `${Math.floor(seconds / 3_600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}`

import { Alert } from 'antd'
import { Link } from '@tanstack/react-router'
import type { ReportColumnKind, ReportPreview as Preview } from '@outpost/contract/report-preview'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { formatDate, formatDateTime, formatMoney, formatNumber, noValue } from '../../formats.ts'
import { ErrorText, LoadingState } from '../../states/index.tsx'
import { AxisChart } from '../../charts/AxisChart.tsx'
import { numberOf, topMarks, type Mark } from '../dashboard/series.ts'

interface PreviewProps {
  preview: Preview | undefined
  error: unknown
  isLoading: boolean
}

/** The first rows of a report as they would be in its file, with a drawing of its first measure. */
export function ReportPreview({ preview, error, isLoading }: PreviewProps) {
  return (
    <section className="form-card report-preview" aria-labelledby="report-preview" aria-busy={isLoading}>
      <h2 id="report-preview">{t('Preview')}</h2>
      {error ? <Alert type="error" showIcon title={<ErrorText error={error} />} role="alert" /> : null}
      {!preview && isLoading ? <LoadingState rows={6} /> : null}
      {preview ? <Rows preview={preview} /> : null}
    </section>
  )
}

function Rows({ preview }: { preview: Preview }) {
  const { columns, rows, filters, opens } = preview
  const { currency } = useCompany()
  const { title, marks } = chartOf(preview)
  const period = filters.map(({ label, value }) => `${t(label)} ${value}`).join(' · ')
  if (rows.length === 0)
    return (
      <>
        <p className="report-description">{period}</p>
        <p className="widget-none">{t('Nothing in this period')}</p>
      </>
    )
  return (
    <>
      <p className="report-description" role="status">
        {[countWords(preview), period].filter(Boolean).join(' · ')}
      </p>
      {marks.some(({ value }) => value > 0) ? (
        <div className="report-chart">
          <h3>{t(title)}</h3>
          <MeasureChart title={title} marks={topMarks(marks, 12)} fileName={`${preview.title}: ${title}`} />
        </div>
      ) : null}
      <div className="panel-table" tabIndex={0} role="group" aria-label={t('First rows')}>
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
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
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
    </>
  )
}

function MeasureChart({ title, marks, fileName }: { title: string; marks: readonly Mark[]; fileName: string }) {
  const values = marks.map(({ value }) => value)
  return (
    <AxisChart
      words={`${t(title)}: ${marks.map(({ label, value }) => `${t(label)} ${formatNumber(value)}`).join(', ')}`}
      kind="bars"
      labels={marks.map(({ label }) => t(label))}
      series={[{ name: t(title), look: 'main', values }]}
      height={28 * marks.length + 40}
      format={formatNumber}
      fileName={fileName.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()}
    />
  )
}

/** One mark for all shown rows of a name; times in hours. */
function chartOf({ columns, rows, chart }: Preview): { title: string; marks: Mark[] } {
  const measure = columns.find(({ key }) => key === chart?.value)
  if (!chart || !measure) return { title: '', marks: [] }
  const isTime = measure.kind === 'duration'
  const sums = new Map<string, number>()
  for (const row of rows) {
    const label = String(row[chart.label] ?? noValue)
    sums.set(label, (sums.get(label) ?? 0) + numberOf(row[chart.value]))
  }
  const marks = [...sums].map(([label, sum]) => ({ label, value: Math.round((10 * sum) / (isTime ? 3_600 : 1)) / 10, row: {} }))
  return { title: isTime ? `${measure.title} (h)` : measure.title, marks: marks.toSorted((a, b) => b.value - a.value) }
}

function countWords({ rows, hasMore, total }: Preview): string {
  if (!hasMore) return `${formatNumber(rows.length)} ${t(rows.length === 1 ? 'row' : 'rows')}`
  return `${t('The first')} ${formatNumber(rows.length)}${total === undefined ? '' : ` ${t('of')} ${formatNumber(total)}`} ${t('rows; the file holds all of them')}`
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
      return formatDateTime(value)
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

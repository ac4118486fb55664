import type { ReportPreview as Preview } from '@outpost/contract/report-preview'
import { t } from '../../../session/labels.ts'
import { AxisChart } from '../../charts/AxisChart.tsx'
import { formatNumber } from '../../formats.ts'
import { topMarks } from '../dashboard/series.ts'
import { barsOf, linesOf, type Lines } from './chart.ts'

const looks = ['main', 'before', 'warning'] as const

/** A drawing of the rows shown: bars by name, or lines over time. */
export function ReportChart({ preview }: { preview: Preview }) {
  const lines = preview.chart?.kind === 'line' ? linesOf(preview) : undefined
  const { title, marks } = preview.chart?.kind === 'line' ? { title: '', marks: [] } : barsOf(preview)
  const top = topMarks(marks, 12)
  const heading = lines?.title ?? title
  if (!lines && !marks.some(({ value }) => value > 0)) return null
  const fileName = `${preview.title} ${heading}`.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return (
    <div className="report-chart">
      <h3>{preview.hasMore || preview.page > 1 ? t('{{title}}, of the rows shown', { title: heading }) : heading}</h3>
      {lines ? (
        <LineChart lines={lines} fileName={fileName} />
      ) : (
        <AxisChart
          words={`${title}: ${top.map(({ label, value }) => `${t(label)} ${formatNumber(value)}`).join(', ')}`}
          kind="bars"
          labels={top.map(({ label }) => t(label))}
          series={[{ name: title, look: 'main', values: top.map(({ value }) => value) }]}
          height={28 * top.length + 40}
          format={formatNumber}
          fileName={fileName}
        />
      )}
    </div>
  )
}

function LineChart({ lines: { title, labels, series }, fileName }: { lines: Lines; fileName: string }) {
  const ends = series.map(({ name, values }) => `${name} ${formatNumber(values.findLast((value) => value !== null) ?? 0)}`)
  return (
    <AxisChart
      words={`${title}: ${ends.join(', ')}`}
      kind="line"
      labels={labels}
      series={series.map(({ name, values }, index) => ({ name: name || title, values, look: looks[index] ?? 'main' }))}
      height={260}
      format={formatNumber}
      fileName={fileName}
    />
  )
}

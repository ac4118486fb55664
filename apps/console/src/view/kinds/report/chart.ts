import type { ReportPreview as Preview } from '@outpost/contract/report-preview'
import { t } from '../../../session/labels.ts'
import { formatCompanyDateTime, formatDate, noValue } from '../../formats.ts'
import { numberOf, type Mark } from '../dashboard/series.ts'

export interface Bars {
  title: string
  marks: Mark[]
}
export interface Lines {
  title: string
  labels: string[]
  series: { name: string; values: (number | null)[] }[]
}

/** Nobody can tell more lines than these apart. */
const mostLines = 3

const columnOf = ({ columns }: Preview, key: string | undefined) => columns.find((column) => column.key === key)
const titleOf = (title: string, isTime: boolean) => (isTime ? `${t(title)} (h)` : t(title))
const scaled = (value: unknown, kind: string | undefined) =>
  Math.round((10 * numberOf(value)) / (kind === 'duration' ? 3_600 : kind === 'percent' ? 0.01 : 1)) / 10

/** One mark for all shown rows of a name: a sum, or how many they are; times in hours, shares in percent. */
export function barsOf(preview: Preview): Bars {
  const { rows, chart } = preview
  const measure = columnOf(preview, chart?.value)
  if (!chart || (chart.value !== undefined && !measure)) return { title: '', marks: [] }
  const sums = new Map<string, number>()
  for (const row of rows) {
    if (measure && row[measure.key] === null) continue
    // A row without the name that the drawing goes by has another: an unknown driver is shown as the vehicle.
    const label = String(row[chart.label] ?? row.assetId ?? row.device ?? noValue)
    sums.set(label, (sums.get(label) ?? 0) + (measure ? scaled(row[measure.key], measure.kind) : 1))
  }
  const marks = [...sums].map(([label, sum]) => ({ label, value: Math.round(10 * sum) / 10, row: {} }))
  const title = measure ? titleOf(measure.title, measure.kind === 'duration') : t('How many')
  return { title, marks: marks.toSorted((a, b) => b.value - a.value) }
}

/** A line for each of the first series over the days or moments of the rows; undefined where one point is no line. */
export function linesOf(preview: Preview): Lines | undefined {
  const { rows, chart } = preview
  const [at, measure] = [columnOf(preview, chart?.label), columnOf(preview, chart?.value)]
  if (!chart || !at || !measure) return undefined
  const told = rows.filter((row) => row[measure.key] !== null && row[at.key] !== null)
  const moments = [...new Set(told.map((row) => String(row[at.key])))].toSorted()
  if (moments.length < 2) return undefined
  const nameOf = (row: Record<string, unknown>) => (chart.by ?? []).map((key) => String(row[key] ?? noValue)).join(' · ')
  const names = [...new Set(told.map(nameOf))].slice(0, mostLines)
  const series = names.map((name) => {
    const values = new Map(
      told.filter((row) => nameOf(row) === name).map((row) => [String(row[at.key]), scaled(row[measure.key], measure.kind)]),
    )
    return { name, values: moments.map((moment) => values.get(moment) ?? null) }
  })
  const labels = moments.map((moment) => (at.kind === 'date' ? formatDate(moment) : formatCompanyDateTime(moment)))
  return { title: titleOf(measure.title, measure.kind === 'duration'), labels, series }
}

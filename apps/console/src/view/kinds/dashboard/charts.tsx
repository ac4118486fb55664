import { Link } from '@tanstack/react-router'
import { sumBy } from 'es-toolkit/math/sumBy'
import { t } from '../../../session/labels.ts'
import { hueClass } from '../../../theme/hues.ts'
import { formatDate, formatNumber } from '../../formats.ts'
import { pathOf } from '../../RecordLink.tsx'
import { niceCeiling, slicePath, topMarks } from './series.ts'
import type { Mark } from './series.ts'
import { AxisChart } from '../../charts/AxisChart.tsx'
import type { ChartSeries } from '../../charts/chart.ts'

interface ChartProps {
  title: string
  marks: readonly Mark[]
  open?: string
  openBefore?: string
  openKey?: string
}

/** Where a click on a mark leads; filters of the target are behind the ? of the screen's path. */
function linkOf(open: string | undefined, openKey: string | undefined, mark: Mark): string | undefined {
  if (openKey !== undefined) return typeof mark.row[openKey] === 'string' ? mark.row[openKey] : undefined
  return open && Object.keys(mark.row).length > 0 ? pathOf(open, mark.row) : undefined
}

export const MarkLink = ({ open, openKey, mark, children }: { open?: string; openKey?: string; mark: Mark; children: React.ReactNode }) => {
  const href = linkOf(open, openKey, mark)
  if (!href) return <>{children}</>
  const [to, search] = href.split('?')
  return (
    <Link to={to} search={Object.fromEntries(new URLSearchParams(search)) as never}>
      {children}
    </Link>
  )
}

/** The colour of the status or type that a mark shows, where it has one: as in tags and on the board. */
const hueOfMark = ({ row }: Mark): string | undefined =>
  typeof row['tone'] === 'string' ? `hue tone-${row['tone']}` : typeof row['colour'] === 'string' ? hueClass(row['colour']) : undefined

/** Horizontal bars; the labels are beside them, so that the picture itself needs no reading. */
export function Bars({ marks, open, openKey }: ChartProps) {
  const shown = topMarks(marks, 12)
  const most = niceCeiling(Math.max(...shown.map((mark) => mark.value)))
  return (
    <ul className="chart-bars">
      {shown.map((mark, index) => (
        // Two targets of one kind have one name.
        <li key={`${index} ${mark.label}`} className={hueOfMark(mark)}>
          <span className="chart-label">
            <MarkLink open={open} openKey={openKey} mark={mark}>
              {t(mark.label)}
            </MarkLink>
          </span>
          <svg className="chart-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden>
            <rect className="chart-rail" width="100" height="10" />
            <rect className="chart-fill" width={(100 * mark.value) / most} height="10" />
          </svg>
          <span className="chart-value">{formatNumber(mark.value)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A ring of shares with its legend. */
export function Donut({ title, marks, open, openKey }: ChartProps) {
  const hasHues = marks.some((mark) => hueOfMark(mark) !== undefined)
  const shown = topMarks(
    marks.filter((mark) => mark.value > 0),
    hasHues ? 7 : 6,
  )
  const colourOf = (mark: Mark, index: number) => hueOfMark(mark) ?? (hasHues ? hueClass('grey') : `chart-colour-${index}`)
  const total = shown.reduce((sum, mark) => sum + mark.value, 0)
  const starts = shown.map((_, index) => shown.slice(0, index).reduce((sum, mark) => sum + mark.value, 0) / total)
  return (
    <div className="chart-donut">
      <svg viewBox="0 0 120 120" role="img" aria-label={`${t(title)}: ${formatNumber(total)}`}>
        {shown.map((mark, index) => (
          <path
            key={`${index} ${mark.label}`}
            className={`chart-slice ${colourOf(mark, index)}`}
            d={slicePath(starts[index] ?? 0, (starts[index] ?? 0) + mark.value / total, { radius: 58, hole: 38, centre: 60 })}
          />
        ))}
        <text x="60" y="66" textAnchor="middle" className="chart-total">
          {formatNumber(total)}
        </text>
      </svg>
      <ul className="chart-legend">
        {shown.map((mark, index) => (
          <li key={`${index} ${mark.label}`}>
            <svg width="10" height="10" aria-hidden>
              <rect width="10" height="10" rx="2" className={colourOf(mark, index)} />
            </svg>
            <MarkLink open={open} openKey={openKey} mark={mark}>
              {t(mark.label)}
            </MarkLink>
            <span className="chart-value">
              {formatNumber(mark.value)} <span className="chart-share">{Math.round((100 * mark.value) / total)} %</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Stages of a road one under the other: how many came so far, how many are there now (the rows a click opens), and the days it takes. */
export function Funnel({ marks, open }: ChartProps) {
  const most = Math.max(1, ...marks.map((mark) => mark.value))
  return (
    <ol className="chart-funnel">
      {marks.map((mark) => {
        const { hereNow, percent, medianDays } = mark.row
        return (
          <li key={mark.label} className={hueOfMark(mark)}>
            <span className="chart-label">{t(mark.label)}</span>
            <span className="chart-funnel-bar" style={{ '--share': `${(100 * mark.value) / most}%` } as React.CSSProperties}>
              <span>
                {formatNumber(mark.value)}
                {typeof percent === 'number' ? ` · ${percent} %` : ''}
              </span>
            </span>
            <span className="chart-funnel-here">
              {typeof hereNow === 'number' ? (
                <MarkLink open={open} mark={mark}>
                  <span className="chart-value">{formatNumber(hereNow)}</span> {t('here now')}
                </MarkLink>
              ) : null}
            </span>
            <span className="chart-funnel-days">
              {typeof medianDays === 'number' ? `${formatNumber(medianDays)} ${t('days in it')}` : ''}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** A line over time, with the figures of its first, last and greatest point in words; its sums lead to their rows. */
export function Line({ title, marks, open, openBefore }: ChartProps) {
  const hasBefore = marks.some((mark) => mark.before !== undefined)
  const greatest = marks.reduce((best, mark) => (mark.value > best.value ? mark : best), marks[0] ?? { label: '', value: 0, row: {} })
  const [first, last] = [marks[0], marks.at(-1)]
  const words = `${t(title)}: ${t('from')} ${formatNumber(first?.value)} (${dayOf(first)}) ${t('to')} ${formatNumber(last?.value)} (${dayOf(last)}), ${t('most')} ${formatNumber(greatest.value)} (${dayOf(greatest)})`
  const whole = (to: string | undefined, of: (mark: Mark) => number) => (
    <MarkLink open={to} mark={{ label: '', value: 0, row: { isWhole: true } }}>
      {formatNumber(sumBy(marks, of))}
    </MarkLink>
  )
  const before: ChartSeries = { name: t('As many days before'), look: 'before', values: marks.map((mark) => mark.before ?? 0) }
  const now: ChartSeries = {
    name: t(hasBefore ? 'These days' : title),
    look: 'main',
    hasArea: true,
    values: marks.map((mark) => mark.value),
  }
  return (
    <>
      <AxisChart
        words={words}
        kind="line"
        labels={marks.map(dayOf)}
        series={hasBefore ? [now, before] : [now]}
        height={180}
        format={formatNumber}
      />
      {hasBefore ? (
        <p className="chart-key">
          <span data-line="now">
            {t('These days')}: {whole(open, (mark) => mark.value)}
          </span>
          <span data-line="before">
            {t('As many days before')}: {whole(openBefore, (mark) => mark.before ?? 0)}
          </span>
        </p>
      ) : null}
    </>
  )
}

const dayOf = (mark: Mark | undefined): string =>
  mark && /^\d{4}-\d\d-\d\d/.test(mark.label) ? formatDate(mark.label) : (mark?.label ?? '')

import type { PlanRow } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { formatMoney, formatNumber } from '../../formats.ts'
import { niceCeiling } from '../dashboard/series.ts'
import { useDrawingWidth } from '../../useDrawingWidth.ts'

const [height, foot, side] = [200, 22, 74]

/** What is still owed and the interest paid so far, instalment by instalment. */
export function PlanChart({ rows, currency }: { rows: readonly PlanRow[]; currency: string }) {
  const [drawing, width] = useDrawingWidth({ first: 720, least: 240 })
  const { balances, interest } = seriesOf(rows)
  const most = niceCeiling(Math.max(...balances, ...interest))
  const x = (index: number) => side + ((width - side - 8) * index) / Math.max(1, rows.length)
  const y = (value: number) => 8 + (height - foot - 8) * (1 - value / most)
  const line = (values: readonly number[]) => values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const words = `${t('Balance falls from')} ${formatMoney(balances[0], currency)} ${t('to nothing in')} ${rows.length} ${t('months')}; ${t('interest adds up to')} ${formatMoney(interest.at(-1), currency)}`
  return (
    <figure className="plan-chart">
      <svg ref={drawing} className="chart-line" viewBox={`0 0 ${width} ${height}`} height={height} role="img" aria-label={words}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className="chart-grid" x1={side} x2={width - 8} y1={y(most * share)} y2={y(most * share)} />
            <text className="chart-tick" x={side - 6} y={y(most * share) + 4} textAnchor="end">
              {formatNumber(most * share)}
            </text>
          </g>
        ))}
        <polygon className="chart-area" points={`${x(0)},${y(0)} ${line(balances)} ${x(rows.length)},${y(0)}`} />
        <polyline className="chart-stroke" points={line(balances)} />
        <polyline className="chart-stroke plan-interest" points={line(interest)} />
        <text className="chart-tick" x={side} y={height - 4}>
          0
        </text>
        <text className="chart-tick" x={width - 8} y={height - 4} textAnchor="end">
          {rows.length} {t('months')}
        </text>
      </svg>
      <figcaption>
        <span className="plan-key" />
        {t('Balance')}
        <span className="plan-key" data-interest />
        {t('Interest paid so far')}
      </figcaption>
    </figure>
  )
}

/** Sums of a drawing only: what is posted is in the table. */
function seriesOf(rows: readonly PlanRow[]): { balances: number[]; interest: number[] } {
  const first = rows[0] ? Number(rows[0].balance) + Number(rows[0].principal) : 0
  const interest = [0]
  for (const row of rows) interest.push((interest.at(-1) ?? 0) + Number(row.interest))
  return { balances: [first, ...rows.map((row) => Number(row.balance))], interest }
}

import { t } from '../../session/labels.ts'
import { formatDate, formatNumber } from '../../view/formats.ts'
import { useProgress, type Point } from './useBoard.ts'
import { useDrawingWidth } from '../../view/useDrawingWidth.ts'

const [height, foot, side] = [170, 22, 44]

/** What was there by the end of each day (line) and what should have been (dashes). */
export function ProgressChart({ id, value }: { id: string; value: number }) {
  const { data: points } = useProgress(id)
  return (
    <figure className="tg-chart">
      {points ? <Drawing points={points} value={value} /> : <div style={{ blockSize: height }} role="status" aria-label={t('Loading')} />}
    </figure>
  )
}

function Drawing({ points, value }: { points: readonly Point[]; value: number }) {
  const [drawing, width] = useDrawingWidth({ first: 560, least: 200 })
  const done = points.filter((point): point is Point & { actual: number } => point.actual !== null)
  const most = Math.max(value, ...done.map(({ actual }) => actual)) || 1
  const x = (index: number) => side + (width - side - 8) * (points.length < 2 ? 0.5 : index / (points.length - 1))
  const y = (amount: number) => 8 + (height - foot - 8) * (1 - amount / most)
  const line = (amounts: readonly number[]) => amounts.map((amount, index) => `${x(index).toFixed(1)},${y(amount).toFixed(1)}`).join(' ')
  const last = done.at(-1)
  const words = last
    ? `${t('Reached by')} ${formatDate(last.day)}: ${formatNumber(last.actual)}, ${t('expected')} ${formatNumber(last.expected)}, ${t('target')} ${formatNumber(value)}`
    : `${t('The period has not begun.')} ${t('Target')} ${formatNumber(value)}`
  return (
    <>
      <svg ref={drawing} viewBox={`0 0 ${width} ${height}`} height={height} role="img" aria-label={words}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className="tg-grid" x1={side} x2={width - 8} y1={y(most * share)} y2={y(most * share)} />
            <text className="tg-tick" x={side - 6} y={y(most * share) + 4} textAnchor="end">
              {short(most * share)}
            </text>
          </g>
        ))}
        <polyline className="tg-expected" points={line(points.map(({ expected }) => expected))} />
        <polyline className="tg-actual" points={line(done.map(({ actual }) => actual))} />
        {last && <circle className="tg-dot" cx={x(done.length - 1)} cy={y(last.actual)} r="4" />}
        <text className="tg-tick" x={side} y={height - 4}>
          {formatDate(points[0]?.day)}
        </text>
        <text className="tg-tick" x={width - 8} y={height - 4} textAnchor="end">
          {formatDate(points.at(-1)?.day)}
        </text>
      </svg>
      <figcaption>
        <span className="tg-key" data-line="actual">
          {t('Reached')}
        </span>
        <span className="tg-key" data-line="expected">
          {t('Expected')}
        </span>
      </figcaption>
    </>
  )
}

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })
const short = (amount: number) => compact.format(amount > 10 ? Math.round(amount) : amount)

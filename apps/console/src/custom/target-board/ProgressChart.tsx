import { t } from '../../session/labels.ts'
import { AxisChart } from '../../view/charts/AxisChart.tsx'
import { formatDate, formatNumber } from '../../view/formats.ts'
import { useProgress, type Point } from './useBoard.ts'

const height = 190

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
  const last = points.findLast((point): point is Point & { actual: number } => point.actual !== null)
  const words = last
    ? `${t('Reached by')} ${formatDate(last.day)}: ${formatNumber(last.actual)}, ${t('expected')} ${formatNumber(last.expected)}, ${t('target')} ${formatNumber(value)}`
    : `${t('The period has not begun.')} ${t('Target')} ${formatNumber(value)}`
  return (
    <>
      <AxisChart
        words={words}
        kind="line"
        labels={points.map(({ day }) => formatDate(day))}
        series={[
          { name: t('Reached'), look: 'main', values: points.map(({ actual }) => actual) },
          { name: t('Expected'), look: 'before', values: points.map(({ expected }) => expected) },
        ]}
        height={height}
        format={formatNumber}
      />
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

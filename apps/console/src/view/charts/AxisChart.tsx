import { lazy, Suspense } from 'react'
import { t } from '../../session/labels.ts'
import type { AxisChartProps } from './chart.ts'

const AxisCanvas = lazy(() =>
  import('./AxisCanvas.tsx').then(
    (file) => ({ default: file.AxisCanvas }),
    // Without a network, and never fetched before: the figures around the chart are still worth showing.
    () => ({ default: Words }),
  ),
)

/** A chart with axes: lines over time (with a zoom when they are long) or bars one below the other. ECharts is fetched with the first one. */
export const AxisChart = (props: AxisChartProps) => (
  <Suspense fallback={<div style={{ blockSize: props.height }} role="status" aria-label={t('Loading')} />}>
    <AxisCanvas {...props} />
  </Suspense>
)

const Words = ({ words }: Pick<AxisChartProps, 'words'>) => <p>{words}</p>

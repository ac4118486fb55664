import { lazy, Suspense } from 'react'
import { t } from '../../session/labels.ts'

const AxisCanvas = lazy(() =>
  import('./AxisCanvas.tsx').then(
    (file) => ({ default: file.AxisCanvas }),
    // Without a network, and never fetched before: the figures around the chart are still worth showing.
    () => ({ default: Words }),
  ),
)

export interface ChartSeries {
  name: string
  /** One for each label; null where there is none yet. */
  values: readonly (number | null)[]
  look: 'main' | 'before' | 'warning'
  hasArea?: boolean
}

export interface AxisChartProps {
  /** What the chart shows, in words: its name for those who cannot see it. */
  words: string
  kind: 'line' | 'bars'
  labels: readonly string[]
  series: readonly ChartSeries[]
  /** Pixels. */
  height: number
  /** A value in the tooltip. */
  format: (value: number) => string
  /** Name of the picture that can be saved; without it there is no button. */
  fileName?: string
}

/** A chart with axes: lines over time (with a zoom when they are long) or bars one below the other. ECharts is fetched with the first one. */
export const AxisChart = (props: AxisChartProps) => (
  <Suspense fallback={<div style={{ blockSize: props.height }} role="status" aria-label={t('Loading')} />}>
    <AxisCanvas {...props} />
  </Suspense>
)

const Words = ({ words }: Pick<AxisChartProps, 'words'>) => <p>{words}</p>

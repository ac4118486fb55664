/** One line or row of bars of a chart. */
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

import type { GlobalToken } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { numberFormat } from '../../session/language.ts'
import type { AxisChartProps, ChartSeries } from './chart.ts'

/** From so many labels on a line can be zoomed. */
export const zoomFrom = 32
const compact = { notation: 'compact', maximumFractionDigits: 1 } as const
type Tokens = Pick<
  GlobalToken,
  'colorLink' | 'colorText' | 'colorTextSecondary' | 'colorWarning' | 'colorBorderSecondary' | 'colorBgElevated' | 'fontFamily'
>

/** What ECharts draws: the labels on one axis, the values on the other. */
export function optionsOf({ kind, labels, series, format }: Omit<AxisChartProps, 'words' | 'height'>, token: Tokens): EChartsCoreOption {
  const isLine = kind === 'line'
  const text = { color: token.colorTextSecondary, fontSize: 11 }
  const hasZoom = isLine && labels.length >= zoomFrom
  const isWhole = series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
  const names = {
    type: 'category',
    data: [...labels],
    boundaryGap: !isLine,
    inverse: !isLine,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: token.colorBorderSecondary } },
    axisLabel: { ...text, hideOverlap: true, ...(isLine ? {} : { width: 130, overflow: 'truncate' }) },
  }
  const values = {
    type: 'value',
    splitNumber: 3,
    ...(isWhole ? { minInterval: 1 } : {}),
    axisLabel: { ...text, formatter: (value: number) => numberFormat(compact).format(value) },
    splitLine: { lineStyle: { color: token.colorBorderSecondary } },
  }
  return {
    // Nothing moves by itself: a chart is there at once, for whoever asked for less motion too.
    animation: false,
    textStyle: { fontFamily: token.fontFamily },
    grid: { left: 4, right: isLine ? 16 : 48, top: 12, bottom: hasZoom ? 44 : 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: isLine ? names : values,
    yAxis: isLine ? values : names,
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: token.colorBgElevated,
      borderColor: token.colorBorderSecondary,
      textStyle: { color: token.colorText, fontSize: 13 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '–'),
    },
    ...(hasZoom ? { dataZoom: [{ type: 'slider', height: 20, bottom: 6, brushSelect: false, textStyle: text, labelFormatter: '' }] } : {}),
    series: series.map((one) => seriesOf(one, { isLine, format, token })),
  }
}

interface SeriesContext extends Pick<AxisChartProps, 'format'> {
  isLine: boolean
  token: Tokens
}

function seriesOf({ name, values, look, hasArea }: ChartSeries, { isLine, format, token }: SeriesContext) {
  const color = { main: token.colorLink, before: token.colorTextSecondary, warning: token.colorWarning }[look]
  const data = [...values]
  if (!isLine) {
    const label = {
      show: true,
      position: 'right',
      color: token.colorTextSecondary,
      formatter: ({ value }: { value: number }) => format(value),
    }
    return { type: 'bar', name, data, label, itemStyle: { color, borderRadius: 4 }, barMaxWidth: 14 }
  }
  return {
    type: 'line',
    name,
    data,
    color,
    symbol: 'circle',
    symbolSize: 5,
    showSymbol: look === 'main' && data.length < zoomFrom,
    lineStyle: look === 'main' ? { width: 2 } : { width: 1.5, type: 'dashed' },
    ...(hasArea ? { areaStyle: { opacity: 0.12 } } : {}),
  }
}

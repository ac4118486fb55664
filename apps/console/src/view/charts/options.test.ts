import { expect, it } from 'vitest'
import type { AxisChartProps } from './chart.ts'
import { optionsOf, zoomFrom } from './options.ts'

const token = {
  colorLink: '#0958d9',
  colorText: '#111111',
  colorTextSecondary: '#555555',
  colorWarning: '#874d00',
  colorBorderSecondary: '#dddddd',
  colorBgElevated: '#ffffff',
  fontFamily: 'sans-serif',
}
const chart = (count: number, more: Partial<AxisChartProps> = {}) =>
  optionsOf(
    {
      kind: 'line',
      labels: Array.from({ length: count }, (_, index) => `day ${index}`),
      series: [{ name: 'Reached', look: 'main', values: Array.from({ length: count }, (_, index) => index) }],
      format: (value) => `KES ${value}`,
      ...more,
    },
    token,
  )

it('a long line can be zoomed, a short one and bars cannot', () => {
  expect(chart(zoomFrom)).toHaveProperty('dataZoom')
  expect(chart(zoomFrom - 1)).not.toHaveProperty('dataZoom')
  expect(chart(zoomFrom, { kind: 'bars' })).not.toHaveProperty('dataZoom')
})

it('counts have whole steps on their axis, amounts have not', () => {
  expect(chart(3)).toHaveProperty('yAxis.minInterval', 1)
  expect(chart(3, { series: [{ name: 'Owed', look: 'main', values: [1.5, null, 2] }] })).not.toHaveProperty('yAxis.minInterval')
})

it('bars have their labels on the side, the first one on top', () => {
  expect(chart(3, { kind: 'bars' })).toMatchObject({ yAxis: { type: 'category', inverse: true }, xAxis: { type: 'value' } })
})

it('draws in the colours of the theme, and values of a tooltip as they are written elsewhere', () => {
  const { tooltip, series } = chart(3) as { tooltip: { valueFormatter: (value: unknown) => string }; series: { color: string }[] }
  expect([tooltip.valueFormatter(5), tooltip.valueFormatter(null), series[0]?.color]).toEqual(['KES 5', '–', token.colorLink])
})

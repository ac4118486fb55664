import { useEffect, useRef } from 'react'
import { Button, theme } from 'antd'
import { DownloadOutlined } from '@ant-design/icons'
import { BarChart, LineChart } from 'echarts/charts'
import { DataZoomSliderComponent, GridComponent, TooltipComponent } from 'echarts/components'
import { init, use, type EChartsType } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { t } from '../../session/labels.ts'
import type { AxisChartProps } from './chart.ts'
import { optionsOf } from './options.ts'

use([BarChart, LineChart, DataZoomSliderComponent, GridComponent, TooltipComponent, CanvasRenderer])

/** The chart itself, in the colours of the theme. */
export function AxisCanvas(props: AxisChartProps) {
  const { words, height, fileName } = props
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const { token } = theme.useToken()
  useEffect(() => {
    if (!place.current) return undefined
    const own = init(place.current)
    chart.current = own
    const observer = new ResizeObserver(() => own.resize())
    observer.observe(place.current)
    return () => {
      observer.disconnect()
      own.dispose()
    }
  }, [])
  useEffect(() => chart.current?.setOption(optionsOf(props, token), { notMerge: true }), [props, token])
  const save = () => {
    const link = document.createElement('a')
    link.href = chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: token.colorBgContainer }) ?? ''
    link.download = `${fileName}.png`
    link.click()
  }
  return (
    <>
      <div ref={place} style={{ blockSize: height }} role="img" aria-label={words} />
      {fileName === undefined ? null : (
        <Button size="small" icon={<DownloadOutlined aria-hidden />} onClick={save}>
          {t('Save as picture')}
        </Button>
      )}
    </>
  )
}

import type { ReactNode } from 'react'
import { Button } from 'antd'
import { AimOutlined, ColumnWidthOutlined, ExpandOutlined, GatewayOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import type { Map as LeafletMap } from 'leaflet'
import { t } from '../session/labels.ts'

export type DrawKind = 'lasso' | 'measure'

interface MapToolsProps {
  map: LeafletMap
  drawing: DrawKind | undefined
  onDraw: (kind: DrawKind | undefined) => void
  onFit: () => void
  /** Undefined when the map does not use it. */
  onNear?: () => void
  hasLasso: boolean
  isLocating: boolean
}

/** The buttons on the map; each shows its key. */
export function MapTools({ map, drawing, onDraw, onFit, onNear, hasLasso, isLocating }: MapToolsProps) {
  const draw = (kind: DrawKind) => () => onDraw(drawing === kind ? undefined : kind)
  return (
    <div className="map-tools" role="group" aria-label={t('Map tools')}>
      <Tool label={t('Zoom in')} keys="+" icon={<PlusOutlined aria-hidden />} onClick={() => map.zoomIn()} />
      <Tool label={t('Zoom out')} keys="-" icon={<MinusOutlined aria-hidden />} onClick={() => map.zoomOut()} />
      <Tool label={t('Show all')} keys="f" icon={<ExpandOutlined aria-hidden />} onClick={onFit} />
      {onNear ? <Tool label={t('Near me')} keys="n" icon={<AimOutlined aria-hidden />} isLoading={isLocating} onClick={onNear} /> : null}
      {hasLasso ? (
        <Tool
          label={t('Select by drawing around')}
          keys="l"
          icon={<GatewayOutlined aria-hidden />}
          isOn={drawing === 'lasso'}
          onClick={draw('lasso')}
        />
      ) : null}
      <Tool
        label={t('Measure a distance')}
        keys="r"
        icon={<ColumnWidthOutlined aria-hidden />}
        isOn={drawing === 'measure'}
        onClick={draw('measure')}
      />
    </div>
  )
}

interface ToolProps {
  label: string
  keys: string
  icon: ReactNode
  isOn?: boolean
  isLoading?: boolean
  onClick: () => void
}

const Tool = ({ label, keys, icon, isOn, isLoading = false, onClick }: ToolProps) => (
  <Button
    icon={icon}
    aria-label={t(label)}
    title={`${t(label)} (${keys})`}
    aria-keyshortcuts={keys}
    aria-pressed={isOn}
    type={isOn ? 'primary' : 'default'}
    loading={isLoading}
    onClick={onClick}
  />
)

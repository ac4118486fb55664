import { Button, InputNumber } from 'antd'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import type { Place } from '../shapes.ts'

interface CornerListProps {
  corners: readonly Place[]
  onChange: (corners: Place[]) => void
  /** Where a corner that is added lies. */
  middle: () => Place
}

/** The corners of a shape as numbers: each can be typed, removed or added without a pointer. */
export function CornerList({ corners, onChange, middle }: CornerListProps) {
  const change = (index: number, changed: Partial<Place>) =>
    onChange(corners.map((corner, place) => (place === index ? { ...corner, ...changed } : corner)))
  const input = (index: number, key: 'lat' | 'lng') => (
    <InputNumber
      size="small"
      controls={false}
      precision={5}
      min={key === 'lat' ? -85 : -180}
      max={key === 'lat' ? 85 : 180}
      value={corners[index]?.[key]}
      aria-label={`${t(key === 'lat' ? 'Latitude' : 'Longitude')} ${index + 1}`}
      onChange={(value) => typeof value === 'number' && change(index, { [key]: value })}
    />
  )
  return (
    <div className="map-corners" role="group" aria-label={t('Corners as numbers')}>
      <ol>
        {corners.map((_, index) => (
          <li key={index}>
            {input(index, 'lat')}
            {input(index, 'lng')}
            <Button
              size="small"
              type="text"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={`${t('Remove corner')} ${index + 1}`}
              onClick={() => onChange(corners.filter((__, place) => place !== index))}
            />
          </li>
        ))}
      </ol>
      <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => onChange([...corners, middle()])}>
        {t('Add a corner')}
      </Button>
    </div>
  )
}

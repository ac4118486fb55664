import { useMemo } from 'react'
import type { ReportPreview as Preview } from '@outpost/contract/report-preview'
import { MapView, type MapLine, type MapPoint } from '../../../map/index.ts'
import { t } from '../../../session/labels.ts'

/** The rows shown on a map: places as points, ways as lines with the point where they ended. A point opens its row. */
export function ReportMap({ preview, onRow }: { preview: Preview; onRow: (index: number) => void }) {
  const { points, lines } = useMemo(() => drawn(preview), [preview])
  return (
    <MapView
      label={t('Rows on the map')}
      points={points}
      lines={lines}
      hasList={false}
      height="min(420px, 50dvh)"
      onOpen={({ id }) => onRow(Number(id))}
    />
  )
}

function drawn({ places = [] }: Preview): { points: MapPoint[]; lines: MapLine[] } {
  const known = places.flatMap((place, index) => (place ? [{ ...place, id: String(index) }] : []))
  return {
    points: known.flatMap(({ id, label, positions }): MapPoint[] => {
      const last = positions.at(-1)
      return last ? [{ id, lat: last[0], lng: last[1], label, tone: 'info', note: t('Row {{number}}', { number: Number(id) + 1 }) }] : []
    }),
    lines: known.flatMap(({ id, label, positions }): MapLine[] =>
      positions.length > 1 ? [{ id: `way-${id}`, positions, label, tone: 'info', isDashed: positions.length === 2 }] : [],
    ),
  }
}

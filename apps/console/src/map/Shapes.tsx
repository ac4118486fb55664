import { Circle, Polygon, Polyline, Tooltip } from 'react-leaflet'
import type { MapArea, MapLine } from './shapes.ts'

/** Lines and areas of a map; their colours come from the theme by class. */
export function Shapes({ lines, areas }: { lines: readonly MapLine[]; areas: readonly MapArea[] }) {
  return (
    <>
      {areas.map((area) => (
        <Area key={`${area.id} ${area.tone ?? ''}`} area={area} />
      ))}
      {lines.map(({ id, positions, tone = 'info', isDashed, label }) => (
        <Polyline
          key={`${id} ${tone} ${isDashed ?? false}`}
          positions={positions as [number, number][]}
          className={`map-line map-tone-${tone}`}
          weight={4}
          {...(isDashed ? { dashArray: '2 8' } : {})}
          interactive={label !== undefined}
        >
          {label ? <Tooltip sticky>{label}</Tooltip> : null}
        </Polyline>
      ))}
    </>
  )
}

function Area({ area }: { area: MapArea }) {
  const { tone = 'info', label } = area
  const options = { className: `map-area map-tone-${tone}`, weight: 2, fillOpacity: 0.12 }
  const words = label ? <Tooltip sticky>{label}</Tooltip> : null
  return 'corners' in area ? (
    <Polygon positions={[area.corners, ...(area.holes ?? [])] as [number, number][][]} {...options} interactive={label !== undefined}>
      {words}
    </Polygon>
  ) : (
    <Circle center={[area.lat, area.lng]} radius={area.radius} {...options} interactive={label !== undefined}>
      {words}
    </Circle>
  )
}

import { useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { Map as LeafletMap } from 'leaflet'
import { t } from '../session/labels.ts'
import type { Bounds, MapPoint } from './shapes.ts'
import { isInside } from './viewport.ts'
import { numberFormat } from '../session/language.ts'

const maxShown = 60

interface MapListProps {
  map: LeafletMap
  title: string
  points: readonly MapPoint[]
  selected: ReadonlySet<string>
  onPick: (point: MapPoint) => void
}

/** The visible points as a list: access without seeing or pointing. One tab stop; arrow keys move within it. */
export function MapList({ map, title, points, selected, onPick }: MapListProps) {
  const bounds = useBounds(map)
  const inView = useMemo(() => points.filter((point) => isInside(point, bounds)), [points, bounds])
  const shown = inView.slice(0, maxShown)
  const [active, setActive] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const current = Math.min(active, shown.length - 1)
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: shown.length - 1 }[event.key]
    if (next === undefined || next < 0 || next >= shown.length) return
    event.preventDefault()
    setActive(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <section className="map-list" aria-label={t(title)}>
      <p className="map-list-count" role="status">
        {numberFormat().format(inView.length)} {t('of')} {numberFormat().format(points.length)} {t('in view')}
      </p>
      <ol ref={list} onKeyDown={walk}>
        {shown.map((point, index) => (
          <li key={point.id}>
            <button
              type="button"
              tabIndex={index === current ? 0 : -1}
              data-selected={selected.has(point.id)}
              onFocus={() => setActive(index)}
              onClick={() => onPick(point)}
            >
              <span className={`map-list-mark map-tone-${point.tone ?? 'quiet'}`} aria-hidden>
                {point.number}
              </span>
              <span className="map-list-words">
                <span>{point.label}</span>
                {point.note ? <small>{point.note}</small> : null}
              </span>
              {selected.has(point.id) ? <span className="o-hidden">{t('selected')}</span> : null}
            </button>
          </li>
        ))}
      </ol>
      {inView.length > maxShown ? <p className="map-list-more">{t('Zoom in to list the others.')}</p> : null}
    </section>
  )
}

function useBounds(map: LeafletMap): Bounds {
  const [bounds, setBounds] = useState(() => read(map))
  useEffect(() => {
    const note = () => setBounds(read(map))
    note()
    map.on('moveend', note)
    return () => void map.off('moveend', note)
  }, [map])
  return bounds
}

function read(map: LeafletMap): Bounds {
  const bounds = map.getBounds()
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}

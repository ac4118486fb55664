import { useEffect, useEffectEvent } from 'react'
import { useMap } from 'react-leaflet'
import type { Place } from './shapes.ts'

/** Keeps a place in the middle of the map; a child of MapView. */
export function FollowPlace({ place: { lat, lng } }: { place: Place }) {
  const map = useMap()
  useEffect(() => void map.panTo([lat, lng], { animate: false }), [map, lat, lng])
  return null
}

/** Moves the map as far as needed for a place to be seen, once for each name; a child of MapView. */
export function RevealPlace({ name, place }: { name: string; place: Place }) {
  const map = useMap()
  const reveal = useEffectEvent(() => void map.panInside([place.lat, place.lng], { padding: [60, 60], animate: false }))
  useEffect(() => {
    // Beside a panel that just opened the map is narrower than it knows yet.
    map.invalidateSize({ animate: false, pan: false })
    reveal()
  }, [map, name])
  return null
}

/** [west, south, east, north] */
type Box = [number, number, number, number]

/** Says which part of the world the map shows, with a margin, at first and after each move; a child of MapView. */
export function WatchBox({ onBox }: { onBox: (box: Box) => void }) {
  const map = useMap()
  const tell = useEffectEvent(() => {
    const bounds = map.getBounds().pad(0.25)
    const within = (value: number, most: number) => Math.max(-most, Math.min(most, value))
    onBox([within(bounds.getWest(), 180), within(bounds.getSouth(), 90), within(bounds.getEast(), 180), within(bounds.getNorth(), 90)])
  })
  useEffect(() => {
    const note = () => tell()
    tell()
    map.on('moveend', note)
    return () => void map.off('moveend', note)
  }, [map])
  return null
}

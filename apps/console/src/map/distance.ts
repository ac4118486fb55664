import { metresBetween } from '@outpost/rules/places/distance'
import type { Place } from './shapes.ts'

const point = ({ lat, lng }: Place) => ({ latitude: lat, longitude: lng })

/** Great-circle metres between two places. */
export const metres = (from: Place, to: Place): number => metresBetween(point(from), point(to))

/** Degrees clockwise from north in which a place lies, by the shortest way. */
export function bearing(from: Place, to: Place): number {
  const [lat1, lat2, turn] = [from.lat, to.lat, to.lng - from.lng].map((degrees) => (degrees * Math.PI) / 180) as [number, number, number]
  const east = Math.sin(turn) * Math.cos(lat2)
  const north = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(turn)
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
}

/** Length of a path in metres. */
export const lengthOf = (way: readonly Place[]): number =>
  way.slice(1).reduce((sum, place, index) => sum + metres(way[index] ?? place, place), 0)

/** A distance as text: "640 m", "3.2 km", "128 km". */
export function distanceText(length: number): string {
  if (length < 1000) return `${Math.round(length)} m`
  return length < 100_000 ? `${(length / 1000).toFixed(1)} km` : `${Math.round(length / 1000)} km`
}

/** An area as text: "640 m²", "1.2 ha", "3.4 km²". */
export function areaText(squareMetres: number): string {
  if (squareMetres < 10_000) return `${Math.round(squareMetres)} m²`
  return squareMetres < 1_000_000 ? `${(squareMetres / 10_000).toFixed(1)} ha` : `${(squareMetres / 1_000_000).toFixed(1)} km²`
}

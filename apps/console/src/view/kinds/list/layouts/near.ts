import type { FilterTerm } from '@outpost/contract/envelope'
import type { ListView, MapLayout } from '@outpost/contract/views'

export interface Near {
  lat: number
  lng: number
  km: number
}

export const radii = [1, 2, 5, 10, 25, 50, 100] as const

/** "near" as it is in the address: "-1.29210,36.82190,5" (kilometres last). */
export const nearText = ({ lat, lng, km }: Near): string => `${lat.toFixed(5)},${lng.toFixed(5)},${km}`

export function parseNear(text: unknown): Near | undefined {
  const parts = typeof text === 'string' ? text.split(',').map(Number) : []
  const [lat, lng, km] = parts
  if (parts.length !== 3 || lat === undefined || lng === undefined || km === undefined || !parts.every(Number.isFinite)) return undefined
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && km > 0 && km <= 1000 ? { lat, lng, km } : undefined
}

const kmOfDegree = 111.32

/** Terms for the box around a circle, so that the server leaves out what is far; none when the list cannot be filtered by position. */
export function boxTerms(view: ListView, { latKey, lngKey }: MapLayout, { lat, lng, km }: Near): FilterTerm[] {
  const isFilterable = [latKey, lngKey].every((key) =>
    view.filters.some((filter) => filter.key === key && filter.operators.includes('gte') && filter.operators.includes('lte')),
  )
  if (!isFilterable) return []
  const up = km / kmOfDegree
  const side = km / (kmOfDegree * Math.max(0.01, Math.cos((lat * Math.PI) / 180)))
  return [
    { field: latKey, op: 'gte', value: lat - up },
    { field: latKey, op: 'lte', value: lat + up },
    { field: lngKey, op: 'gte', value: lng - side },
    { field: lngKey, op: 'lte', value: lng + side },
  ]
}

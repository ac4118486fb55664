import type { Tone } from '../theme/tones.ts'

/** A point on the map. Positions are degrees (WGS 84) everywhere in this folder. */
export interface MapPoint {
  id: string
  lat: number
  lng: number
  label: string
  /** A second line of text for list and tooltip. */
  note?: string
  tone?: Tone
  /** The number of a stop: drawn as a numbered pin and never part of a cluster. */
  number?: number
  /** Degrees from north in which it moves: an arrow in its dot. */
  heading?: number
  /** Name of the small picture in its dot. */
  picture?: string | undefined
}

export interface MapLine {
  id: string
  positions: readonly (readonly [lat: number, lng: number])[]
  tone?: Tone
  isDashed?: boolean
  label?: string
}

type Ring = readonly (readonly [lat: number, lng: number])[]

/** An area: a ring of corners, less its holes, or a circle with its radius in metres. */
export type MapArea = { id: string; tone?: Tone; label?: string } & (
  | { corners: Ring; holes?: readonly Ring[] }
  | { lat: number; lng: number; radius: number }
)

export interface Place {
  lat: number
  lng: number
}
export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}
export interface Viewport extends Place {
  zoom: number
}

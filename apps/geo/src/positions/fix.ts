/** What a device says of itself beside its place, by Traccar's names: metres, milliseconds, volts, km/h. */
export type Attributes = Record<string, string | number | boolean>

/**
 * One message of a device, whatever the protocol: SI units and km/h, epoch milliseconds. A message without a place
 * (heartbeat with values, network only) has null coordinates. `isValid` is false when the device had no fix and only
 * repeats its last place: such a place is kept, and never used for geometry.
 */
export interface Fix {
  /** When the place was measured. */
  fixTime: number
  /** When the device made the message; the same as fixTime unless the protocol tells them apart. */
  deviceTime: number
  latitude: number | null
  longitude: number | null
  isValid: boolean
  altitude: number | null
  /** km/h */
  speed: number | null
  /** degrees, 0 north */
  course: number | null
  /** metres; null unknown */
  accuracy: number | null
  attributes: Attributes
}

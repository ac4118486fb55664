/** What a device reports besides its place, by Traccar's names: metres, milliseconds, volts, km/h. */
export type Attributes = Record<string, string | number | boolean>

/**
 * One message of a device in any protocol: SI units and km/h, epoch milliseconds. A message without a place (heartbeat with values,
 * network only) has null coordinates. `isValid` is false when the device had no fix and only repeats its last place: such a place is
 * stored, but never used for geometry.
 */
export interface Fix {
  /** When the place was measured. */
  fixTime: number
  /** When the device created the message; equals fixTime unless the protocol distinguishes them. */
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

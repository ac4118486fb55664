import { put, time, type Reading, type Step } from './draft.ts'

const unitsPerDegree = 1_800_000

/** Time and place: satellites, latitude, longitude, speed in km/h, flags. */
export const gps: Step = (reading) => {
  time(reading)
  place(reading)
}

/** The place alone. */
export const place: Step = (reading) => {
  satellites(reading)
  const coordinates = degrees(reading)
  reading.draft.speed = reading.c.u(1)
  flags(reading, coordinates, reading.c.u(2))
}

/** Like `gps`, with its length in front; length 0 is a message without a place (AZ735). */
export const gpsIfAny: Step = (reading) => {
  time(reading)
  if (reading.c.u(1) > 0) place(reading)
}

/** Time and place without satellites and speed (alarms of dash cameras). */
export const gpsPlain: Step = (reading) => {
  time(reading)
  flags(reading, degrees(reading), reading.c.u(2))
}

/** Time and place with the flags before a two-byte speed (JC400). */
export const gpsFlagsFirst: Step = (reading) => {
  time(reading)
  satellites(reading)
  const coordinates = degrees(reading)
  const bits = reading.c.u(2)
  reading.draft.speed = reading.c.u(2)
  flags(reading, coordinates, bits)
}

/** The module form: epoch seconds, satellites, altitude in metres, place. */
export const gpsModule: Step = (reading) => {
  reading.draft.fixTime = reading.c.u(4) * 1000
  put(reading, 'sat', reading.c.u(1))
  reading.draft.altitude = reading.c.i(2)
  const coordinates = degrees(reading)
  reading.draft.speed = reading.c.u(1)
  flags(reading, coordinates, reading.c.u(2))
}

function satellites(reading: Reading): void {
  put(reading, 'sat', reading.c.u(1) & 0x0f)
}

function degrees({ c }: Reading): { latitude: number; longitude: number } {
  const latitude = c.u(4) / unitsPerDegree
  return { latitude, longitude: c.u(4) / unitsPerDegree }
}

/**
 * Bits 0-9 course, 10 north, 11 west, 12 fix valid, 14 ignition known, 15 ignition. 0/0 without a fix is no place. Unknown ignition is
 * omitted, which is not the same as off.
 */
function flags(reading: Reading, place: { latitude: number; longitude: number }, bits: number): void {
  const { draft } = reading
  const course = bits & 0x3ff
  draft.course = course <= 360 ? course % 360 : null
  draft.isValid = (bits & 0x1000) !== 0
  if (bits & 0x4000) put(reading, 'ignition', (bits & 0x8000) !== 0)
  const isEarth = place.latitude <= 90 && place.longitude <= 180
  const isNowhere = place.latitude === 0 && place.longitude === 0
  if (!isEarth || (isNowhere && !draft.isValid)) {
    draft.isValid = false
    return
  }
  draft.latitude = bits & 0x400 ? place.latitude : 0 - place.latitude
  draft.longitude = bits & 0x800 ? 0 - place.longitude : place.longitude
}

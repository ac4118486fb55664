import type { Point } from '@outpost/rules/places/distance'

const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/** The compass direction of one place from another: NE of the first. */
export function compassDirection(from: Point, to: Point): (typeof directions)[number] {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const turn = radians(to.longitude - from.longitude)
  const east = Math.sin(turn) * Math.cos(radians(to.latitude))
  const north =
    Math.cos(radians(from.latitude)) * Math.sin(radians(to.latitude)) -
    Math.sin(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.cos(turn)
  const eighths = Math.round((Math.atan2(east, north) / Math.PI) * 4)
  return directions[(eighths + 8) % 8]!
}

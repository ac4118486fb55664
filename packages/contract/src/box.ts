import { z } from 'zod'

const longitude = z.number().min(-180).max(180)
const latitude = z.number().min(-90).max(90)

/** A stretch of a map in degrees, [west, south, east, north]; where west lies east of east it goes over the date line. */
export const box = z
  .tuple([longitude, latitude, longitude, latitude], 'must be [west, south, east, north] in degrees')
  .refine(([, south, , north]) => south <= north, 'south must not lie north of north')
export type Box = z.output<typeof box>

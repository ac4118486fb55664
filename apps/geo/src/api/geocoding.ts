import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { readCoordinates } from '../geocoding/coordinates.ts'
import { handler } from './types.ts'

/**
 * Returns the address of "lat,lng". "lng,lat" is accepted where it is unambiguous. Always answers, with whatever source is reachable;
 * 0,0 and 999 are refused.
 */
export const describePlace = handler(z.strictObject({ coordinates: z.string() }), async (ctx, { coordinates }) => {
  const point = readCoordinates(coordinates)
  if (!point || (point.latitude === 0 && point.longitude === 0))
    return fail('NO_POSITION', { details: { code: 101 }, fields: [{ field: 'coordinates', message: 'is no place on earth' }] })
  return { data: { ...(await ctx.services.describePlace(ctx, point)), ...point } }
})

import { z } from 'zod'
import { handler } from './types.ts'

/** "lat,lng" in words; "lng,lat" is understood where it can mean nothing else. Answers whatever is reachable. */
export const describePlace = handler(z.strictObject({ coordinates: z.string() }), async (ctx, { coordinates }) => {
  const place = placeOf(coordinates)
  return { data: { ...await ctx.services.describePlace(ctx, place), ...place } }
})

function placeOf(text: string): { latitude: number, longitude: number } {
  const [latitude = 0, longitude = 0] = text.split(',').map(Number)
  return { latitude, longitude }
}

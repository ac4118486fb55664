import { fail } from '@outpost/contract/errors'
import { isPosition } from '@outpost/rules/validation'
import { z } from 'zod'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { findPlaces, nearestPlace } from './places.ts'

const degrees = z.coerce.number('must be a number')
export const addressInput = z.strictObject({ lat: degrees, lng: degrees })
export const lookupInput = z.strictObject({ text: z.string().trim().min(2, 'needs two letters').max(80) })

/** The nearest populated place to a position, in words and with its distance; address is null where none is near. Nothing leaves the server. */
export async function addressAt(_: Ctx, { lat, lng }: z.infer<typeof addressInput>): Promise<Answer> {
  if (!isPosition(lat, lng))
    fail('NO_POSITION', {
      details: { code: 101 },
      fields: [
        { field: 'lat', message: 'is not known' },
        { field: 'lng', message: 'is not known' },
      ],
    })
  const found = await nearestPlace(lat, lng)
  if (!found) return { data: { address: null, place: null, distance: null } }
  const { place, metres } = found
  return { data: { address: `${inWords(metres)} ${place.name}, ${place.country}`.trim(), place, distance: metres } }
}

/** Populated places of that name with their coordinates, the likeliest first; latitude and longitude are the first's, null without one. */
export async function positionsOf({ company }: Ctx, { text }: z.infer<typeof lookupInput>): Promise<Answer> {
  const places = await findPlaces(text, { country: company.country })
  return { data: { places, latitude: places[0]?.latitude ?? null, longitude: places[0]?.longitude ?? null } }
}

/** Within a kilometre of its centre one is in a place. */
const inWords = (metres: number) => (metres < 1_000 ? '' : `${(metres / 1_000).toFixed(metres < 10_000 ? 1 : 0)} km from`)

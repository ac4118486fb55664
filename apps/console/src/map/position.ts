import { isPosition } from '@outpost/rules/validation'
import { toast } from '../feedback/toast.ts'
import { t } from '../session/labels.ts'
import type { Place } from './shapes.ts'

const messages: Record<number, string> = {
  1: 'User denied the request for Geolocation.',
  2: 'Location information is unavailable.',
  3: 'The request to get user location timed out.',
}

/** Why the device gave no position, in the specification's words (section 8); by the browser's error code, none where it has no way to know. */
export const positionProblem = (code: number | undefined): string =>
  code === undefined ? 'no geolocation available for device' : (messages[code] ?? 'An unknown error occurred.')

/** The device's position; when it is not known within 5 s, shows the reason and returns undefined. */
export function myPosition(): Promise<Place | undefined> {
  return new Promise((resolve) => {
    const fail = (message: string) => {
      toast.warning({ title: t(message) })
      resolve(undefined)
    }
    if (!('geolocation' in navigator)) return fail(positionProblem(undefined))
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (isPosition(coords.latitude, coords.longitude)) resolve({ lat: coords.latitude, lng: coords.longitude })
        else fail(positionProblem(2))
      },
      (error) => fail(positionProblem(error.code)),
      { enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 },
    )
  })
}

import { isPosition } from '@outpost/rules/validation'
import { toast } from '../feedback/toast.ts'
import { t } from '../session/labels.ts'
import type { Place } from './shapes.ts'

/** The specification's messages (section 8), by the browser's error code. */
const messages: Record<number, string> = {
  1: 'User denied the request for Geolocation.',
  2: 'Location information is unavailable.',
  3: 'The request to get user location timed out.',
}

/** The device's position; when it is not known within 5 s, shows the reason and returns undefined. */
export function myPosition(): Promise<Place | undefined> {
  return new Promise((resolve) => {
    const fail = (message: string) => {
      toast.warning({ title: t(message) })
      resolve(undefined)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (isPosition(coords.latitude, coords.longitude)) resolve({ lat: coords.latitude, lng: coords.longitude })
        else fail('Location information is unavailable.')
      },
      (error) => fail(messages[error.code] ?? 'An unknown error occurred.'),
      { enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 },
    )
  })
}

import { isPosition } from '@outpost/rules/validation'

export interface Fix { latitude: number, longitude: number, accuracy: number, deviceTime: string }

/** Where the device is now; null when it will not say, cannot, or does not know within 5 s (specification 9). */
export function readPosition(): Promise<Fix | null> {
  if (!('geolocation' in navigator)) return Promise.resolve(null)
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(({ coords, timestamp }) => {
      const { latitude, longitude, accuracy } = coords
      resolve(isPosition(latitude, longitude) ? { latitude, longitude, accuracy, deviceTime: new Date(timestamp).toISOString() } : null)
    }, (error) => {
      console.info('The position could not be read:', error.message)
      resolve(null)
    }, { enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 })
  })
}

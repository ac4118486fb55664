import { useSyncExternalStore } from 'react'

const query = '(max-width: 767.98px)'
const subscribe = (listener: () => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** True below 768 px, where tables become cards. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches)

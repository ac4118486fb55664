import { useMedia } from './useMedia.ts'

/** True below 768 px, where tables become cards. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767.98px)')

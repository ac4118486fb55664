import { useSyncExternalStore } from 'react'
import { serverNow } from '../session/token.ts'
import { dayIn } from './formats.ts'

const minuteMs = 60_000
/** How often a screen looks at the clock; drawn again is only what a later time changes. */
const lookMs = 15_000

function subscribe(look: () => void): () => void {
  const timer = setInterval(look, lookMs)
  return () => clearInterval(timer)
}

/** The start of the present minute in ms since 1970. */
export const useMinute = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / minuteMs) * minuteMs)

/** The same by the server's clock, which times of vehicles are compared with: the clock of this device may be wrong. */
export const useServerMinute = (): number => useSyncExternalStore(subscribe, () => Math.floor(serverNow() / minuteMs) * minuteMs)

/** Today (YYYY-MM-DD) in a time zone; without one, the device's. */
export const useToday = (timeZone?: string): string => useSyncExternalStore(subscribe, () => dayIn(timeZone))

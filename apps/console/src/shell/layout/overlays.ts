import { useSyncExternalStore } from 'react'

export type Overlay = 'palette' | 'keyboard' | null

let overlay: Overlay = null
const listeners = new Set<() => void>()

/** Which of the overlays that any part may open is open. */
export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => overlay,
  )
}

export const openPalette = (): void => change('palette')
export const openKeyboardHelp = (): void => change('keyboard')
export const closeOverlay = (): void => change(null)

function change(next: Overlay): void {
  overlay = next
  for (const listener of listeners) listener()
}

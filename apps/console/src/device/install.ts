import { useSyncExternalStore } from 'react'

interface InstallEvent extends Event {
  prompt: () => Promise<void>
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: InstallEvent | null = null
const listeners = new Set<() => void>()

/** The function that installs the app; null when the browser offers none (or the app is installed). */
export function useInstallOffer(): (() => Promise<void>) | null {
  return useSyncExternalStore(subscribe, () => (offer ? install : null))
}

/** Catches the browser's install offer, which comes once and early; call it at page start. */
export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    change(event as InstallEvent)
  })
  addEventListener('appinstalled', () => change(null))
}

async function install(): Promise<void> {
  const event = offer
  // The browser's prompt can be used once; the browser offers a new one when it was dismissed.
  change(null)
  await event?.prompt()
}

function change(next: InstallEvent | null): void {
  offer = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

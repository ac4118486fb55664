import { registerSW } from 'virtual:pwa-register'

/** A deployment is noticed within this time while the page is visible. */
const checkEvery = 45_000

/**
 * Registers the service worker and calls back when a newer version is ready; `reload` activates it (the worker drops the files of the
 * former one) and reloads the page. Returns a function that stops the checks.
 */
export function watchUpdates(onUpdate: (reload: () => Promise<void>) => void): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const register = (): void => {
    const update = registerSW({
      onNeedRefresh: () => onUpdate(() => update(true)),
      onRegisteredSW: (_url, registration) => {
        clearInterval(timer)
        timer = setInterval(() => (hasFailed(registration) ? register() : void check(registration)), checkEvery)
      },
      onRegisterError: (error: unknown) => console.info('The app cannot be kept for offline use in this browser.', error),
    })
  }
  register()
  return () => clearInterval(timer)
}

/** Some files failed to load, as happens on a poor connection: the browser has dropped the worker and never retries by itself. */
function hasFailed(registration: ServiceWorkerRegistration | undefined): boolean {
  return registration !== undefined && !registration.installing && !registration.waiting && !registration.active
}

async function check(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  if (!registration || registration.installing || !navigator.onLine || document.hidden) return
  try {
    await registration.update()
  } catch {
    // The server is unavailable for a moment; the next check tries again.
  }
}

import { registerSW } from 'virtual:pwa-register'

/** A deployment is noticed within this time while the page is visible. */
const checkEvery = 45_000
/** With another tab open, or after a call in the wrong moment, Chromium keeps the former worker for minutes, until a page is loaded anew: then the new one takes over. */
const longestWait = 2_000
/** Taking over, a worker drops the files of the former one; a slow phone needs a while for that. */
const longestActivation = 10_000
/** The page of the new version comes from the device and is there in less; each further attempt is given twice as long. */
const longestLoad = 4_000

/**
 * Registers the service worker and calls back when a newer version is ready; `reload` activates it (the worker drops the files of the
 * former one) and reloads the page. A page whose version another tab has replaced is asked as well: only the page in which somebody
 * agreed is reloaded, for another may hold a half-filled form. Returns a function that stops the checks.
 */
export function watchUpdates(onUpdate: (reload: () => Promise<void>) => void): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let hasAgreed = false
  const reload = async (): Promise<void> => {
    hasAgreed = true
    await activateWaiting()
    loadAnew(longestLoad)
  }
  const register = (): void => {
    registerSW({
      onNeedRefresh: () => onUpdate(reload),
      onNeedReload: () => {
        if (!hasAgreed) onUpdate(reload)
      },
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

/**
 * Lets the worker that waits take over, and returns when it has. It may have done so before (another tab agreed, or the last page of
 * the former version was closed), and a page loaded past the worker hears of no controller: so the worker itself is listened to.
 */
async function activateWaiting(): Promise<void> {
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting
  if (!waiting) return
  await new Promise<void>((resolve) => {
    setTimeout(() => waiting.state !== 'activating' && resolve(), longestWait)
    setTimeout(resolve, longestActivation)
    waiting.addEventListener('statechange', () => waiting.state !== 'activating' && resolve())
    waiting.postMessage({ type: 'SKIP_WAITING' })
  })
}

/**
 * Reloads the page, again if it does not come within `patience` milliseconds: Chromium now and then forgets a page that was asked for in
 * the moment a new worker took over, and the next attempt is answered. Whoever was asked about unsaved entries has decided, and is not
 * asked again.
 */
function loadAnew(patience: number): void {
  const tryAgain = (event: Event): void => {
    if (!event.defaultPrevented) setTimeout(() => loadAnew(2 * patience), patience)
  }
  addEventListener('beforeunload', tryAgain, { once: true })
  location.reload()
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

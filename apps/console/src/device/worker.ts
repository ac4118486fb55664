import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import type { PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'

/**
 * The service worker: caches the built files and the base map (never an answer of the API), serves pages offline from index.html, shows
 * push messages. A new version waits until the user agrees to reload.
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

const neverPages = [
  /^\/api\//,
  /^\/geo\//,
  /^\/(healthz|readyz|metrics)$/,
  /^\/files\//,
  // The address of a link to somebody outside ends in its secret; its page is the server's.
  /\/[0-9a-f-]{36}\.[\w-]{22,}$/,
  /\.(js|css|map|png|svg|ico|txt|xml|json|webmanifest)$/i,
]

precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
// The base map is fetched when a map needs it: a phone need not store the whole world.
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/ground/'), new StaleWhileRevalidate({ cacheName: 'ground' }))
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: neverPages }))

self.addEventListener('message', (event) => {
  const message: unknown = event.data
  if (typeof message === 'object' && message !== null && 'type' in message && message.type === 'SKIP_WAITING') void self.skipWaiting()
})

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(event.data?.text() ?? ''))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openConsole())
})

/** A push has at most a title and a body; an unreadable one is shown as a plain notice. */
function showPush(text: string): Promise<void> {
  const { title, body } = readPush(text)
  return self.registration.showNotification(title, { body, icon: '/icons/any-192.png', tag: 'outpost' })
}

function readPush(text: string): { title: string; body: string } {
  try {
    const { title, body } = JSON.parse(text) as { title?: string; body?: string }
    return { title: title ?? 'Outpost', body: body ?? '' }
  } catch {
    return { title: 'Outpost', body: text || 'You have a new notification.' }
  }
}

async function openConsole(): Promise<void> {
  const [open] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (open) await open.focus()
  else await self.clients.openWindow('/')
}

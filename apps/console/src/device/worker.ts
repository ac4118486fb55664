import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import type { PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst, StaleWhileRevalidate } from 'workbox-strategies'

/**
 * The service worker: caches the built files, the base map and companies' logos (the address of a logo names its bytes; no other answer of the API), serves pages offline from index.html, shows
 * push messages. A new version waits until the user agrees to reload.
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

const neverPages = [
  /^\/api\//,
  /^\/geo\//,
  /^\/(healthz|readyz|metrics)$/,
  /^\/files\//,
  /^\/reference(\/|$)/,
  // The address of a link to somebody outside ends in its secret; its page is the server's.
  /\/[0-9a-f-]{36}\.[\w-]{22,}$/,
  /\.(js|css|map|png|svg|ico|txt|xml|json|webmanifest)$/i,
]

precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
// The base map is fetched when a map needs it: a phone need not store the whole world.
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/ground/'), new StaleWhileRevalidate({ cacheName: 'ground' }))
const logoPath = /^\/api\/brand\/logo\//
registerRoute(({ url, sameOrigin }) => sameOrigin && logoPath.test(url.pathname), new CacheFirst({ cacheName: 'logos' }))
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
  const data: unknown = event.notification.data
  event.waitUntil(openConsole(typeof data === 'string' ? data : '/'))
})

/** A push says what kind of news it is and which screen it opens; one that came twice is shown once, an unreadable one as a plain notice. */
function showPush(text: string): Promise<void> {
  const { Id, title = 'Outpost', link } = readPush(text)
  return self.registration.showNotification(title, { icon: '/icons/any-192.png', tag: Id ?? 'outpost', data: pathOf(link) })
}

function readPush(text: string): { Id?: string; title?: string; link?: string | null } {
  try {
    return JSON.parse(text) as { Id?: string; title?: string; link?: string | null }
  } catch {
    return { title: 'Outpost' }
  }
}

/** A screen of ours, never another address. */
const pathOf = (link: string | null | undefined): string => (link && /^\/(?!\/)/.test(link) ? link : '/notifications')

/** Goes there in the window that is open, which asks before unsaved entries are lost; else in a new one. */
async function openConsole(path: string): Promise<void> {
  const [open] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!open) return void (await self.clients.openWindow(path))
  await open.focus()
  open.postMessage({ type: 'OPEN', path })
}

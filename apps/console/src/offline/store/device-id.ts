const name = 'outpost.device'
const yearSeconds = 31_536_000

/**
 * This browser's own id, the same for all who sign in here. Kept in a cookie too: when the browser clears what a page
 * stored, the device comes back empty under the id the server knows, which is how the loss is seen.
 */
export function deviceId(): string {
  const id = localStorage.getItem(name) ?? fromCookie() ?? crypto.randomUUID()
  localStorage.setItem(name, id)
  document.cookie = `outpost-device-id=${id}; path=/; max-age=${yearSeconds}; samesite=strict${location.protocol === 'https:' ? '; secure' : ''}`
  return id
}

const fromCookie = (): string | undefined => /(?:^|; )outpost-device-id=([0-9a-f-]{36})(?:;|$)/.exec(document.cookie)?.[1]

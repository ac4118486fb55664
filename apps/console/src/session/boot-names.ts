/** Where the browser keeps that this device probably has a session. */
export const hintKey = 'outpost.session'

/** Where the browser keeps what the first screen of an address has asked for, see data/first-reads.ts. */
export const readsKey = 'outpost.reads'

/** The name of the lock under which tabs take turns at the refresh cookie. */
export const refreshLock = 'outpost-refresh'

/** Where tabs note that they are exchanging the refresh cookie, see announceRefresh. */
export const refreshingKey = 'outpost.refreshing'

/** One try of a refresh takes no longer; see refresh.ts for how many there are. */
export const refreshTimeoutMs = 12_000

/** All tries of one refresh take no longer: a note that is older was left by a tab that was closed. */
export const refreshingMs = 60_000

/**
 * Notes for other tabs that this one is exchanging the refresh cookie, and says whether it is the only one. Taking a lock has to wait
 * until the main thread is free, at the start of a page for as long as the program is read; the note is there at once. The boot script
 * holds this function as text: it uses nothing but its parameters.
 */
export function announceRefresh(key: string, limitMs: number): { isAlone: boolean; done: () => void } {
  const read = (): string[] => {
    try {
      return (localStorage.getItem(key) ?? '').split(' ').filter((at) => Math.abs(Date.now() - Number(at)) < limitMs)
    } catch {
      return []
    }
  }
  const write = (all: string[]): void => {
    try {
      if (all.length > 0) localStorage.setItem(key, all.join(' '))
      else localStorage.removeItem(key)
    } catch {
      // Without storage there is nobody to tell.
    }
  }
  const others = read()
  const own = String(Date.now() + Math.random())
  write([...others, own])
  return { isAlone: others.length === 0, done: () => write(read().filter((at) => at !== own)) }
}

/** A read of the boot script that takes longer is left to the program, which can also answer from this device. */
export const readTimeoutMs = 6_000

/** The request that exchanges the refresh cookie for an access token, as the boot script and the program send it. */
export const refreshRequest = (version: string) => ({
  method: 'POST',
  credentials: 'same-origin' as const,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-ui-version': version },
  body: '{}',
})

/** Where the browser keeps that this device probably has a session. */
export const hintKey = 'outpost.session'

/** Where the browser keeps what the first screen at an address asked for, see first-calls.ts. */
export const firstCallsKey = 'outpost.first'

/** The name of the lock under which tabs take turns at the refresh cookie. */
export const refreshLock = 'outpost-refresh'

/** One try of a refresh takes no longer; see refresh.ts for how many there are. */
export const refreshTimeoutMs = 12_000

/** The request that exchanges the refresh cookie for an access token, as the boot script and the program send it. */
export const refreshRequest = (version: string) => ({
  method: 'POST',
  credentials: 'same-origin' as const,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-ui-version': version },
  body: '{}',
})

let controller = new AbortController()

/** Aborts when the user signs out, before the server ends the session: what is still fetched ahead stops, and is not refused. */
export const untilSignOut = (): AbortSignal => controller.signal

/** Stops what is fetched ahead for the user who leaves. */
export function stopFetchingAhead(): void {
  controller.abort()
  controller = new AbortController()
}

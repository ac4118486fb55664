let controller = new AbortController()

/** Aborts when the user signs out, before the server ends the session: what is still fetched ahead stops, and is not refused. */
export const untilSignOut = (): AbortSignal => controller.signal

/** Stops what is fetched ahead for the user who leaves; what starts while they leave stops, too. */
export const stopFetchingAhead = (): void => controller.abort()

/** Somebody is signed in: from now on things are fetched ahead for them. */
export function allowFetchingAhead(): void {
  if (controller.signal.aborted) controller = new AbortController()
}

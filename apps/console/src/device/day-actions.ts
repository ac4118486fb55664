import { api, isNetworkError, notKept } from '../data/api.ts'
import { cached, putCached } from '../offline/views-cache.ts'
import { currentDataKey } from '../session/unlock.ts'

/** Start (1) or stop (0) of the day; the Id makes sending it twice harmless. */
export interface DayAction { Id: string, action: 0 | 1, performedByUserId: string, location?: object, deviceTime: string }

const waitingName = 'day-actions'

/** A start or stop that the server has not answered by then is kept here, where it can be. */
const patienceMs = 3_000

const send = (action: DayAction, timeoutMs?: number) => api.post('/api/agent/action', action, { timeoutMs })

/** Logs the action at the server, or keeps it sealed on the device until there is a connection. */
export async function logDayAction(action: DayAction): Promise<{ queued: boolean }> {
  try {
    await send(action, currentDataKey() ? patienceMs : undefined)
    return { queued: false }
  } catch (error) {
    if (!isNetworkError(error)) throw error
    const waiting = await waitingActions()
    await putCached(waitingName, [...waiting, action])
    // Without an unlocked device nothing can be kept: then the action did not happen.
    if ((await waitingActions()).length <= waiting.length) throw notKept(error)
    return { queued: true }
  }
}

export const waitingActions = async (): Promise<DayAction[]> => await cached<DayAction[]>(waitingName) ?? []

let flushing: Promise<void> | null = null

/** Sends what waits, oldest first; what the server refuses is dropped with a note, what cannot be sent stays. One at a time. */
export function flushDayActions(): Promise<void> {
  flushing ??= sendAll().finally(() => { flushing = null })
  return flushing
}

async function sendAll(): Promise<void> {
  for (let [next, ...rest] = await waitingActions(); next; [next, ...rest] = rest) {
    try {
      await send(next)
    } catch (error) {
      if (isNetworkError(error)) return
      console.warn('The server refused a start or stop of the day.', error)
    }
    await putCached(waitingName, rest)
  }
}

import type { DeviceClock } from '@outpost/contract/sync/clock'
import { isNetworkError, notKept } from '../data/api.ts'
import type { CallBody } from '@outpost/client/client'
import { call } from '../data/calls.ts'
import { cached, changeCached } from '../offline/store/views-cache.ts'
import { currentDataKey } from '../session/unlock/unlock.ts'

/** Start (1) or stop (0) of the day; the Id makes repeated sending harmless. */
export interface DayAction {
  Id: string
  action: 0 | 1
  performedByUserId: string
  location?: object
  deviceTime: string
  clock?: DeviceClock
}

const waitingName = 'day-actions'

/** An action without an answer after this time is stored here, where possible. */
const answerTimeoutMs = 3_000

const send = (action: DayAction, timeoutMs?: number) =>
  call('agent.logAction', { body: { ...action, sentAt: new Date().toISOString() } as CallBody<'agent.logAction'> }, { timeoutMs })

/** Sends the action to the server, or stores it encrypted on the device until there is a connection. */
export async function logDayAction(action: DayAction): Promise<{ queued: boolean }> {
  try {
    await send(action, currentDataKey() ? answerTimeoutMs : undefined)
    return { queued: false }
  } catch (error) {
    if (!isNetworkError(error)) throw error
    // Without an unlocked device nothing can be stored: then the action did not happen.
    if (!(await changeWaiting((waiting) => [...waiting, action]))) throw notKept(error)
    return { queued: true }
  }
}

export const waitingActions = async (): Promise<DayAction[]> => (await cached<DayAction[]>(waitingName)) ?? []

const changeWaiting = (edit: (waiting: readonly DayAction[]) => DayAction[]): Promise<DayAction[] | undefined> =>
  changeCached<DayAction[]>(waitingName, (waiting = []) => edit(waiting))

let flushing: Promise<void> | null = null

/** Sends pending actions, oldest first. Refused ones are dropped with a notice, unsent ones stay. One at a time. */
export function flushDayActions(): Promise<void> {
  flushing ??= sendAll().finally(() => {
    flushing = null
  })
  return flushing
}

async function sendAll(): Promise<void> {
  // Where the device cannot note that one is gone (it is full), it is not sent over and over.
  const done = new Set<string>()
  for (;;) {
    const next = (await waitingActions()).find(({ Id }) => !done.has(Id))
    if (!next) return
    try {
      await send(next)
    } catch (error) {
      if (isNetworkError(error)) return
      console.warn('The server refused a start or stop of the day.', error)
    }
    done.add(next.Id)
    await changeWaiting((waiting) => waiting.filter(({ Id }) => Id !== next.Id))
  }
}

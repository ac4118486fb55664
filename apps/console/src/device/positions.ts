import type { DeviceClock } from '@outpost/contract/sync/clock'
import type { Fix } from '@outpost/rules/places/fix-quality'
import { isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { deviceClock } from '../session/token.ts'
import { makeWaitingList } from '../offline/store/waiting-list.ts'
import { flushDayActions, waitingActions } from './day-actions.ts'

/** A position record for POST /api/usertracking; the Id makes repeated sending harmless. */
interface PositionRecord {
  Id: string
  type: 'user_position'
  latitude: number
  longitude: number
  accuracy: number
  speed: number | null
  battery: number
  source: 'live'
  deviceTime: string
  clock?: DeviceClock
}

const batchSize = 200
/** A week without a network at one record a minute; then the oldest are dropped. */
const maxWaiting = 10_000

const waiting = makeWaitingList<PositionRecord>('positions', maxWaiting)
let sending: Promise<void> = Promise.resolve()

/** Queues a fix for the server and sends pending ones. */
export async function storePosition({ latitude, longitude, accuracy, speed, at }: Fix, battery: number): Promise<void> {
  const record: PositionRecord = {
    Id: crypto.randomUUID(),
    type: 'user_position',
    latitude,
    longitude,
    accuracy,
    speed: speed ?? null,
    battery,
    source: 'live',
    deviceTime: new Date(at).toISOString(),
    ...deviceClock(),
  }
  await waiting.change((now) => [...now, record])
  await flushPositions()
}

/**
 * Sends pending records, oldest first, in batches; without a network they stay. One run at a time: what is queued during a run is sent
 * after it.
 */
export function flushPositions(): Promise<void> {
  sending = sending.catch(() => undefined).then(sendAll)
  return sending
}

/** Nothing that waits is sent: the user may not be followed. */
export async function dropPositions(): Promise<void> {
  if ((await waiting.now()).length > 0) await waiting.change(() => [])
}

/** For another person's sign-in: the former person's pending records stay encrypted with their key. */
export const forgetPositions = (): void => waiting.forget()

async function sendAll(): Promise<void> {
  // A day that began without a connection makes these positions working time.
  await flushDayActions()
  if ((await waitingActions()).length > 0) return
  // Where the device cannot note that some are gone (it is full), they are not sent over and over.
  const done = new Set<string>()
  for (;;) {
    const batch = (await waiting.now()).filter(({ Id }) => !done.has(Id)).slice(0, batchSize)
    if (batch.length === 0 || !(await sendBatch(batch))) return
    for (const { Id } of batch) done.add(Id)
    await waiting.change((now) => now.filter(({ Id }) => !done.has(Id)))
  }
}

/** True when the batch is done. A refused batch is sent record by record, and refused records are dropped with a notice. */
async function sendBatch(positions: readonly PositionRecord[]): Promise<boolean> {
  try {
    await call('tracking.create', { body: { positions: [...positions], sentAt: new Date().toISOString() } })
    return true
  } catch (error) {
    if (isNetworkError(error) || mayPassLater(error)) return false
    if (positions.length > 1) return (await Promise.all(positions.map((one) => sendBatch([one])))).every(Boolean)
    console.warn('The server refused a position.', error)
    return true
  }
}

const mayPassLater = (error: unknown): boolean => {
  const { status = 0 } = error as { status?: number }
  return status === 401 || status === 403 || status === 429 || status >= 500
}

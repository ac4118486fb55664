import type { Fix } from '@outpost/rules/places/fix-quality'
import { isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { flushDayActions, waitingActions } from './day-actions.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'

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
}

const waitingName = 'positions'
const batchSize = 200
/** A week without a network at one record a minute; then the oldest are dropped. */
const maxWaiting = 10_000

/** Pending records, in memory; also encrypted on the device for people who have an offline store. */
let waiting: PositionRecord[] | null = null
let sending: Promise<void> = Promise.resolve()

async function load(): Promise<PositionRecord[]> {
  if (waiting) return waiting
  const kept = (await cached<PositionRecord[]>(waitingName)) ?? []
  // Whoever read at the same time may have queued something by now.
  return (waiting ??= kept)
}

/** Changes what waits as it is at that moment: nothing comes between reading and writing it. */
async function change(edit: (now: readonly PositionRecord[]) => PositionRecord[]): Promise<void> {
  await load()
  waiting = edit(waiting ?? []).slice(-maxWaiting)
  await putCached(waitingName, waiting)
}

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
  }
  await change((now) => [...now, record])
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
  if ((await load()).length > 0) await change(() => [])
}

/** For another person's sign-in: the former person's pending records stay encrypted with their key. */
export function forgetPositions(): void {
  waiting = null
}

async function sendAll(): Promise<void> {
  // A day that began without a connection makes these positions working time.
  await flushDayActions()
  if ((await waitingActions()).length > 0) return
  for (let batch = (await load()).slice(0, batchSize); batch.length > 0; batch = (await load()).slice(0, batchSize)) {
    if (!(await sendBatch(batch))) return
    const sent = new Set(batch.map(({ Id }) => Id))
    await change((now) => now.filter(({ Id }) => !sent.has(Id)))
  }
}

/** True when the batch is done. A refused batch is sent record by record, and refused records are dropped with a notice. */
async function sendBatch(positions: PositionRecord[]): Promise<boolean> {
  try {
    await call('tracking.create', { body: { positions, sentAt: new Date().toISOString() } })
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

import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@outpost/platform/log'
import type { Sender } from '../deliver.ts'
import type { Feed } from '../identity.ts'
import type { Store } from '../store.ts'
import type { TraccarDevice } from './records.ts'
import { repairGaps, type Repaired } from './repair.ts'
import type { TraccarClient } from './rest.ts'

/** Until when (epoch milliseconds) the history of each device is whole, by its identity. */
export interface Cursors {
  read(): Promise<ReadonlyMap<string, number>>
  keep(uniqueId: string, until: number): Promise<void>
}

export interface BridgeOptions {
  client: TraccarClient
  store: Store
  cursors: Cursors
  /** The feed the server forwards into, or its token: says whose devices they are. */
  feed: Feed | { token: string }
  now: () => number
  log: Log
  /** How much of its past a device brings along when it is first seen. */
  historyDays: number
  /** Takes over what else the server has (fences, drivers); part of a thorough run, which goes on without it. */
  takeOver?: () => Promise<{ skipped: readonly { message: string }[] }>
  /** Called after each device, how many there are beside it. */
  onDevice?: (result: Repaired, devices: number) => Promise<void>
  signal?: AbortSignal
}

const minute = 60_000
const hour = 3_600_000
const day = 86_400_000
/** Forwarding is under way that long; what is newer is not yet missing. */
const underWayMs = 2 * minute

/**
 * Goes through a Traccar server once: unknown devices are listed for adoption by name, the history of the others is
 * filled from where it was whole. An ordinary run looks back one hour, a thorough one two days, for devices that upload
 * what they buffered meanwhile.
 */
export async function runBridge(options: BridgeOptions, isThorough: boolean): Promise<Repaired[]> {
  const { client, store, cursors, now, historyDays, signal, log, onDevice } = options
  const sender = senderOf(options.feed)
  const to = now() - underWayMs
  const { rows, skipped } = await client.devices()
  if (skipped.length > 0) log.warn({ skipped: skipped.slice(0, 20) }, 'devices of Traccar that cannot be read')
  if (isThorough) {
    await introduce(rows, store, sender)
    await options.takeOver?.().then((taken) => log.info({ ...taken, skipped: taken.skipped.slice(0, 20) }, 'taken over from Traccar'),
      (error: unknown) => log.warn({ err: error }, 'fences and drivers of Traccar could not be taken over'))
  }
  const until = await cursors.read()
  const lookBack = isThorough ? 2 * day : hour
  const devices = rows.filter(({ isDisabled }) => !isDisabled).map((device) => {
    const known = until.get(device.uniqueId)
    return { device, since: known === undefined ? to - historyDays * day : known - lookBack }
  })
  return repairGaps({
    client, delivery: { store, now }, sender, keepCursor: (uniqueId, at) => cursors.keep(uniqueId, at),
    ...(signal ? { signal } : {}), ...(onDevice ? { onDevice: (result: Repaired) => onDevice(result, devices.length) } : {}),
  }, devices, to)
}

const senderOf = (feed: BridgeOptions['feed']): Sender => ({
  protocol: 'traccar', remote: null, isFeed: true, takesCommand: false, isHistory: true, ...('token' in feed ? feed : { token: null, feed }),
})

/** Tells the store of every device: those it does not know are listed with name, model and phone. */
async function introduce(devices: readonly TraccarDevice[], store: Store, sender: Sender): Promise<void> {
  for (const { uniqueId, words } of devices) await store(uniqueId, [], { ...sender, refused: [], device: words })
}

/** Runs the bridge now (our own absence was an outage, too) and every 15 min, thoroughly once a day. */
export function startBridge(options: BridgeOptions & { everyMs?: number }): { stop(): Promise<void> } {
  const { everyMs = 15 * minute, log } = options
  const end = new AbortController()
  const perDay = Math.max(1, Math.round(day / everyMs))
  const running = (async () => {
    for (let run = 0; !end.signal.aborted; run += 1) {
      try {
        say(log, await runBridge({ ...options, signal: end.signal }, run % perDay === 0))
      } catch (error) {
        if (!end.signal.aborted) log.warn({ err: error }, 'the Traccar server could not be read')
      }
      await wait(everyMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      end.abort()
      await options.client.close()
      await running
    },
  }
}

function say(log: Log, results: readonly Repaired[]): void {
  const count = (outcome: Repaired['outcome']) => results.filter((one) => one.outcome === outcome).length
  const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'badToken')
  log.info({ devices: results.length, positions: results.reduce((sum, { seen }) => sum + seen, 0), unknown: count('unknownDevice'), failed: failed.length }, 'Traccar bridge')
  for (const { uniqueId, outcome, message } of failed.slice(0, 10)) log.warn({ uniqueId, outcome, message }, 'the history of a device could not be filled')
}

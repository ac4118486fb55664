import { availableParallelism } from 'node:os'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import { processDevice } from './device.ts'
import type { DeviceRef } from './subject.ts'

export interface ProcessorOptions {
  pools: GeoPools
  log: Log
  /** Milliseconds that messages gather before a device is processed, and between looks. */
  lingerMs?: number
  everyMs?: number
  /** Devices of one look; the rest waits for the next, which follows at once. */
  most?: number
  /** Devices at a time; by default they leave half of the machine to what comes in and goes out. */
  lanes?: number
}

export interface Processor {
  /** One look: processes what is due and returns how many devices that were. */
  pass(): Promise<number>
  start(): void
  /** Ends after the devices under way. */
  stop(): Promise<void>
}

interface Failure { until: number, times: number }

/**
 * Turns what devices sent into trips, stops, visits and events. Several processes may do it: who finds a device taken
 * goes on to the next. A device that fails waits longer each time, and holds up nobody else.
 */
export function createProcessor({ pools, log, lingerMs = 2_000, everyMs = 1_000, most = 200, lanes = Math.max(1, availableParallelism() >> 1) }: ProcessorOptions): Processor {
  const failures = new Map<string, Failure>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isOpen = true

  async function bringUpToDate(device: DeviceRef): Promise<void> {
    try {
      await processDevice(pools.geo, device)
      failures.delete(device.deviceId)
    } catch (error) {
      const times = (failures.get(device.deviceId)?.times ?? 0) + 1
      failures.set(device.deviceId, { times, until: Date.now() + Math.min(600_000, 1_000 * 2 ** times) })
      log.error({ err: error, deviceId: device.deviceId, times }, 'device not processed')
    }
  }

  async function pass(): Promise<number> {
    const resting = [...failures].filter(([, { until }]) => until > Date.now()).map(([deviceId]) => deviceId)
    const devices = await dueDevices(pools, { lingerMs, resting, most })
    const queue = devices.values()
    const lane = async () => {
      for (const device of queue) if (isOpen) await bringUpToDate(device)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return devices.length
  }

  function next(ms: number): void {
    if (!isOpen) return
    timer = setTimeout(() => { running = look() }, ms)
  }
  async function look(): Promise<void> {
    const count = await pass().catch((error: unknown) => {
      log.warn({ err: error }, 'processing waits')
      return 0
    })
    next(count === most ? 0 : everyMs)
  }

  return {
    pass,
    start: () => next(everyMs),
    async stop() {
      isOpen = false
      clearTimeout(timer)
      await running
    },
  }
}

/** Devices with messages that have gathered long enough, those that wait longest first. */
async function dueDevices({ ingest }: GeoPools, { lingerMs, resting, most }: { lingerMs: number, resting: string[], most: number }): Promise<DeviceRef[]> {
  const { rows } = await ingest.query<DeviceRef>(`select "companyId", "deviceId" from geo.dirty
    where "dateCreated" <= now() - make_interval(secs => $1::float8 / 1000) and "deviceId" <> all($2::uuid[]) order by "dateCreated" limit $3`, [lingerMs, resting, most])
  return rows
}

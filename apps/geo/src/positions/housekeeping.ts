import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'
import { longSilence } from '../fences/track.ts'
import { packWeeks } from './packing.ts'

export interface HousekeepingOptions {
  pool: GeoPools['ingest']
  log: Log
  /** Positions older than this go, by whole weeks; 0 keeps all. */
  keepDays: number
}

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

/** Makes the weeks of positions ahead and drops the old ones, once now and then every day, packs those that have ended; says of devices that fell silent that nobody knows. */
export async function startHousekeeping({ pool, log, keepDays }: HousekeepingOptions): Promise<{ stop(): void }> {
  await keepPartitions(pool, keepDays)
  const often = every(minute, log, async () => {
    await pool.query(silent)
    await pool.query(stale)
  })
  const daily = every(day, log, () => keepPartitions(pool, keepDays))
  const closing = new AbortController()
  const packing = every(hour, log, () => packWeeks(pool, { now: Date.now(), signal: closing.signal }))
  return {
    stop() {
      clearInterval(often)
      clearInterval(daily)
      clearInterval(packing)
      closing.abort()
    },
  }
}

/** Eight weeks ahead, and five back for buffered positions; several processes may do it at once. */
export async function keepPartitions(pool: GeoPools['ingest'], keepDays: number): Promise<void> {
  await pool.query(`select geo.ensure_partitions(now() - interval '5 weeks', now() + interval '8 weeks')`)
  if (keepDays > 0) await pool.query(`select geo.drop_partitions(now() - make_interval(days => $1))`, [keepDays])
}

/** As Traccar has it: after ten minutes without a frame a device is neither here nor gone. */
const silent = `update geo.device d set "status" = 'unknown', "statusAt" = now() from geo.device_health h
  where d."status" = 'online' and h."companyId" = d."companyId" and h."deviceId" = d."id" and h."lastFrameAt" < now() - interval '10 minutes'`

/** Where a device stands to its fences is believed for as long as no hole is begun. */
export const stale = `update geo.fence_state set "isStale" = true where not "isStale" and "asOf" < now() - make_interval(secs => ${longSilence / 1_000})`

function every(ms: number, log: Log, run: () => Promise<unknown>): NodeJS.Timeout {
  const timer = setInterval(() => void run().catch((error: unknown) => log.warn({ err: error }, 'housekeeping waits')), ms)
  timer.unref()
  return timer
}

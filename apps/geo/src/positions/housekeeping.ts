import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'

export interface HousekeepingOptions {
  pool: GeoPools['ingest']
  log: Log
  /** Positions older than this go, by whole weeks; 0 keeps all. */
  keepDays: number
}

const day = 86_400_000
const minute = 60_000

/** Makes the weeks of positions ahead and drops the old ones, once now and then every day; each minute looks what time has made untrue. */
export async function startHousekeeping({ pool, log, keepDays }: HousekeepingOptions): Promise<{ stop(): void }> {
  await keepPartitions(pool, keepDays)
  const often = every(minute, log, () => sweep(pool))
  const daily = every(day, log, () => keepPartitions(pool, keepDays))
  return {
    stop() {
      clearInterval(often)
      clearInterval(daily)
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

/** What the server has not taken up an hour after its time it never will: its own tries end within minutes. */
const leftAlone = `update geo.reaction set "state" = 'failed', "result" = 'The server did not take it up.', "endedAt" = now()
  where "state" = 'waiting' and "type" <> 'webhook' and "nextAt" < now() - interval '1 hour'`

/** Says of devices that fell silent that nobody knows, and of reactions that the server left alone that they failed. */
export async function sweep(pool: GeoPools['ingest']): Promise<void> {
  await pool.query(silent)
  await pool.query(leftAlone)
}

function every(ms: number, log: Log, run: () => Promise<unknown>): NodeJS.Timeout {
  const timer = setInterval(() => void run().catch((error: unknown) => log.warn({ err: error }, 'housekeeping waits')), ms)
  timer.unref()
  return timer
}

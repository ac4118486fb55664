import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { DeviceCommand } from './codec.ts'
import type { KnownDevice } from './identity.ts'
import type { Sessions } from './sessions.ts'
import { createTaker } from './take-command.ts'

/** Brings commands to devices that are there, and their answers back. States: queued, sent, then done, failed or expired. */
export interface Commands {
  /** Sends what waits for devices on a line. */
  deliver(): Promise<void>
  /** Text of the one command that waits for a device that asks over HTTP; it counts as sent. */
  take(device: KnownDevice): Promise<string | undefined>
  /** The device's answer, to the command it names or else to the oldest that was sent. Never rejects: an answer is no reason to end a line. */
  answered(device: KnownDevice, text: string, correlation: string | undefined): Promise<void>
  close(): Promise<void>
}

interface Row { companyId: string, deviceId: string, id: string, type: string, parameters: DeviceCommand['parameters'], correlation: number }

const columns = `"companyId", "deviceId", "id", "type", "parameters", "correlation"`

export function createCommands({ pool, sessions, log, everyMs = 1_000 }: { pool: GeoPools['ingest'], sessions: Sessions, log: Log, everyMs?: number }): Commands {
  let running: Promise<void> = Promise.resolve()
  let isBusy = false
  const deliver = () => {
    running = running.then(() => deliverAll(pool, sessions)).catch((error: unknown) => log.warn({ reason: (error as Error).message }, 'commands wait'))
    return running
  }
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void deliver().finally(() => { isBusy = false })
  }, everyMs)
  timer.unref()
  return {
    deliver,
    take: createTaker(pool, log),
    answered: (device, text, correlation) => answer(pool, { device, text, correlation }).catch((error: unknown) => log.warn({ err: error }, 'an answer was lost')),
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}

async function deliverAll(pool: GeoPools['ingest'], sessions: Sessions): Promise<void> {
  await pool.query(`update geo.command set "state" = 'expired', "endedAt" = now(), "reason" = case when "state" = 'queued' then 'The device did not come in time' else 'The device did not answer' end
    where "state" in ('queued', 'sent', 'acked') and "expiresAt" < now()`)
  // Apart, as each has an index of its own.
  await pool.query(`update geo.command set "state" = 'expired', "endedAt" = now(), "reason" = 'Nobody approved it in time' where "state" = 'asked' and "expiresAt" < now()`)
  const { rows } = await pool.query<Row>(`select ${columns} from geo.command where "state" = 'queued' order by "companyId", "deviceId", "id" limit 5000`)
  for (const row of rows) await deliverOne(pool, sessions, row)
}

async function deliverOne(pool: GeoPools['ingest'], sessions: Sessions, row: Row): Promise<void> {
  const line = sessions.of(row.deviceId)
  if (!line) return
  const { type, parameters, correlation } = row
  const sentAt = Date.now()
  const { uniqueId, model } = line.device
  // H02 has room for a second of the day only.
  const bytes = line.codec.encode({ type, parameters, uniqueId, model, correlation: line.codec.name === 'h02' ? secondOfDay(sentAt) : correlation })
  if (!bytes) return setState(pool, row, 'failed', `${line.codec.name} has no command ${type}`)
  // Claimed before it leaves: two processes never send one command, and none is sent twice.
  const { rowCount } = await pool.query(`update geo.command set "state" = 'sent', "sentAt" = to_timestamp($3 / 1000.0), "attempts" = "attempts" + 1 where "companyId" = $1 and "id" = $2 and "state" = 'queued'`, [row.companyId, row.id, sentAt])
  if (rowCount === 1) line.send(bytes)
}

const secondOfDay = (at: number) => Math.trunc(at / 1_000) % 86_400

async function setState(pool: GeoPools['ingest'], { companyId, id }: Row, state: 'failed', reason: string): Promise<void> {
  await pool.query(`update geo.command set "state" = $3, "reason" = $4, "endedAt" = now() where "companyId" = $1 and "id" = $2 and "state" = 'queued'`, [companyId, id, state, reason])
}

async function answer(pool: GeoPools['ingest'], { device: { companyId, deviceId }, text, correlation }: { device: KnownDevice, text: string, correlation: string | undefined }): Promise<void> {
  const named = correlation !== undefined && /^\d{1,15}$/.test(correlation) ? Number(correlation) : null
  await pool.query(`update geo.command set "state" = 'done', "answer" = $3, "endedAt" = now()
    where ("companyId", "id") = (select "companyId", "id" from geo.command where "companyId" = $1 and "deviceId" = $2 and "state" in ('sent', 'acked')
      order by $4::bigint is not null and ("correlation" = $4 or trunc(extract(epoch from "sentAt"))::bigint % 86400 = $4) desc, "id" limit 1)`, [companyId, deviceId, text.replaceAll('\0', '').slice(0, 4_000), named])
}

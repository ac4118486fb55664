import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'
import { recordAnswer } from '../../commands/answer.ts'
import { recordHold, maySend, queuedColumns, type QueuedCommand } from '../../commands/release.ts'
import type { KnownDevice } from '../identity.ts'
import type { Connections } from './connections.ts'
import { createCommandPoll } from './command-poll.ts'

/** Sends commands to connected devices and records their answers. States: queued, sent, then done, failed or expired. */
export interface Commands {
  /** Sends pending commands to devices that have a connection. */
  deliver(): Promise<void>
  /** Returns the text of the pending command for a device that polls over HTTP; it counts as sent. */
  take(device: KnownDevice): Promise<string | undefined>
  /**
   * Records a device's answer at the command that it names; an answer that matches none changes nothing. Never rejects: an answer is no
   * reason to end a connection.
   */
  answered(device: KnownDevice, text: string, correlation: string | undefined): Promise<void>
  close(): Promise<void>
}

interface Row extends QueuedCommand {
  correlation: number
}
interface Work {
  pool: GeoPools['ingest']
  connections: Connections
  now: () => number
}

const columns = `${queuedColumns}, "correlation"`

export function createCommands({
  pool,
  connections,
  log,
  everyMs = 1_000,
  now = Date.now,
}: Pick<Work, 'pool' | 'connections'> & { log: Log; everyMs?: number; now?: () => number }): Commands {
  let running: Promise<void> = Promise.resolve()
  let isBusy = false
  const deliver = () => {
    running = running
      .then(() => deliverAll({ pool, connections, now }))
      .catch((error: unknown) => log.warn({ reason: (error as Error).message }, 'commands wait'))
    return running
  }
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void deliver().finally(() => {
      isBusy = false
    })
  }, everyMs)
  timer.unref()
  const inTurn = turns()
  return {
    deliver,
    take: createCommandPoll({ pool, log, now }),
    answered: async ({ companyId, deviceId }, text, correlation) => {
      // A device without a connection here (a mirror) got no command from us, so there is nothing to answer.
      const protocol = connections.of(deviceId)?.codec.name
      if (protocol === undefined) return
      await inTurn(deviceId, () => recordAnswer(pool, { companyId, deviceId, protocol, text, correlation })).catch((error: unknown) =>
        log.warn({ err: error }, 'an answer was lost'),
      )
    },
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Runs tasks of one key one after the other: the meaning of an answer may depend on the one before it. */
function turns(): (key: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>()
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve())
      .catch(() => undefined)
      .then(work)
      .finally(() => {
        if (last.get(key) === turn) last.delete(key)
      })
    last.set(key, turn)
    return turn
  }
}

async function deliverAll(work: Work): Promise<void> {
  const { pool } = work
  await pool.query(`update geo.command set "state" = 'expired', "endedAt" = now(),
      "reason" = case when "state" <> 'queued' then 'The device did not answer' when "reason" is null then 'The device did not come in time' else 'Not sent in time. ' || "reason" end
    where "state" in ('queued', 'sent', 'acked') and "expiresAt" < now()`)
  // Separate statements, because each has an index of its own.
  await pool.query(
    `update geo.command set "state" = 'expired', "endedAt" = now(), "reason" = 'Nobody approved it in time' where "state" = 'asked' and "expiresAt" < now()`,
  )
  const { rows } = await pool.query<Row>(
    `select ${columns} from geo.command where "state" = 'queued' order by "companyId", "deviceId", "id" limit 5000`,
  )
  for (const row of rows) await deliverOne(work, row)
}

async function deliverOne({ pool, connections, now }: Work, row: Row): Promise<void> {
  const line = connections.of(row.deviceId)
  if (!line) return
  const { type, parameters, correlation } = row
  const sentAt = Date.now()
  const { uniqueId, model } = line.device
  // H02 has room for a second of the day only.
  const bytes = line.codec.encode({
    type,
    parameters,
    uniqueId,
    model,
    correlation: line.codec.name === 'h02' ? secondOfDay(sentAt) : correlation,
  })
  if (!bytes) return recordHold(pool, row, { verdict: 'fail', reason: `${line.codec.name} has no command ${type}` })
  const release = await maySend(pool, row, { now: now(), heardAt: line.lastAt })
  if (release.verdict !== 'send') return recordHold(pool, row, release)
  // Claimed before it is sent: two processes never send the same command, and none is sent twice.
  const { rowCount } = await pool.query(
    `update geo.command c set "state" = 'sent', "sentAt" = to_timestamp($3 / 1000.0), "attempts" = "attempts" + 1, "reason" = null
    where "companyId" = $1 and "id" = $2 and "state" = 'queued' and "expiresAt" > now() and not exists (
      select from geo.command o where o."companyId" = c."companyId" and o."deviceId" = c."deviceId" and o."state" in ('sent', 'acked') and o."sentAt" >= to_timestamp($4 / 1000.0))
      -- The connection may have another owner by now that it has not noticed yet.
      and exists (select from geo.device d where d."companyId" = c."companyId" and d."id" = c."deviceId" and d."uniqueId" = $5 and d."deletedAt" is null and not d."disabled")`,
    [row.companyId, row.id, sentAt, aloneSince(line.codec.name, type, sentAt), uniqueId],
  )
  if (rowCount === 1) line.send(bytes)
}

/** How long to wait for the answer of a device that does not name the command it answers, before it gets the next one. */
const answerTimeoutMs = 60_000

/** An unanswered command that was sent since then must not be confused with this one. engineResume waits for nothing. */
function aloneSince(protocol: string, type: string, sentAt: number): number {
  if (protocol === 'h02') return Math.trunc(sentAt / 1_000) * 1_000
  return protocol === 'teltonika' && type !== 'engineResume' ? sentAt - answerTimeoutMs : sentAt + answerTimeoutMs
}

const secondOfDay = (at: number) => Math.trunc(at / 1_000) % 86_400

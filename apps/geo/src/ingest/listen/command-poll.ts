import { uniqBy } from 'es-toolkit/array/uniqBy'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import { recordHold, maySend, queuedColumns, type QueuedCommand } from '../../commands/release.ts'
import type { KnownDevice } from '../identity.ts'

interface PendingRequest {
  device: KnownDevice
  settle: (text: string | undefined) => void
}

interface Work {
  pool: GeoPools['ingest']
  log: Log
  now: () => number
}

const batchMs = 5
/** Commands of one device that are examined for one that may be sent. */
const maxCandidates = 5

/**
 * Returns the pending command to a device that polls over HTTP; it counts as sent. Requests of one moment share one statement: every
 * report of a phone polls, and hardly one has a command. Never rejects, because the report itself is stored.
 */
export function createCommandPoll({ pool, log, now }: Work): (device: KnownDevice) => Promise<string | undefined> {
  let pending: PendingRequest[] = []
  const answer = async () => {
    const all = pending
    pending = []
    const texts = await takeBatch(
      pool,
      all.map(({ device }) => device),
      now(),
    ).catch((error: unknown) => {
      log.warn({ err: error }, 'commands wait')
      return new Map<string, string>()
    })
    for (const {
      device: { deviceId },
      settle,
    } of all) {
      settle(texts.get(deviceId))
      // Of two simultaneous reports only one gets it.
      texts.delete(deviceId)
    }
  }
  return (device) =>
    new Promise((settle) => {
      if (pending.push({ device, settle }) === 1) setTimeout(() => void answer(), batchMs)
    })
}

/** The text of each device's oldest command that may be sent now; skips commands that another process has taken. */
async function takeBatch(pool: GeoPools['ingest'], devices: readonly KnownDevice[], now: number): Promise<Map<string, string>> {
  const own = uniqBy(devices, (device) => device.deviceId)
  const { rows } = await pool.query<QueuedCommand>({
    name: 'geo commands that wait',
    text: `select w.* from unnest($1::uuid[], $2::uuid[]) t(c, d) cross join lateral (
      select ${queuedColumns} from geo.command where "companyId" = t.c and "deviceId" = t.d and "state" = 'queued' and "expiresAt" > now() order by "id" limit ${maxCandidates}) w order by w."id"`,
    values: [own.map(({ companyId }) => companyId), own.map(({ deviceId }) => deviceId)],
  })
  const leaving = new Map<string, QueuedCommand>()
  for (const row of rows) if (!leaving.has(row.deviceId) && (await isFree(pool, row, now))) leaving.set(row.deviceId, row)
  if (leaving.size === 0) return new Map()
  const chosen = [...leaving.values()]
  const taken = await pool.query<{ deviceId: string }>(
    `update geo.command set "state" = 'sent', "sentAt" = now(), "attempts" = "attempts" + 1, "reason" = null
    where ("companyId", "id") in (select * from unnest($1::uuid[], $2::uuid[])) and "state" = 'queued' and "expiresAt" > now() returning "deviceId"`,
    [chosen.map(({ companyId }) => companyId), chosen.map(({ id }) => id)],
  )
  return new Map(taken.rows.map(({ deviceId }) => [deviceId, textOf(leaving.get(deviceId)!)]))
}

async function isFree(pool: GeoPools['ingest'], command: QueuedCommand, now: number): Promise<boolean> {
  const release = await maySend(pool, command, { now, heardAt: now })
  if (release.verdict !== 'send') await recordHold(pool, command, release)
  return release.verdict === 'send'
}

const textOf = ({ type, parameters }: QueuedCommand) => (type === 'custom' ? String(parameters.data ?? '') : type)

import { counter } from '@outpost/platform/http/metrics'
import { uniqBy } from 'es-toolkit/array/uniqBy'
import type { Log } from '@outpost/platform/log'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { BadReason } from '../codec.ts'
import type { KnownDevice } from '../identity.ts'

/** What happened on a device's connection since the last write. */
export interface DeviceNote {
  frames?: number
  fixes?: number
  refused?: number
  bad?: BadReason
  logins?: number
  conflicts?: number
  /** Fixes that arrived more than 15 min after they were measured. */
  buffered?: number
  /** Difference between the device's clock and ours. */
  clockSkewMs?: number
  remote?: string | null
}

/** An unreadable frame, stored for the device's operator. */
export interface BadFrame {
  protocol: string
  reason: BadReason
  detail: string
  remote: string | null
  bytes: Uint8Array
}
/** The company is known when its own feed reported the device. */
export interface UnknownDevice {
  protocol: string
  remote: string | null
  words?: object
  companyId?: string | null
}

/** The operator's view of connections: counts, bad frames and unknown devices. Written every few seconds, apart from the ingest path. */
export interface DeviceStats {
  note(device: KnownDevice, happened: DeviceNote): void
  setOnline(device: KnownDevice, isOnline: boolean, protocol: string): void
  quarantine(device: KnownDevice, frame: BadFrame): void
  noteUnknown(uniqueId: string, sender: UnknownDevice): void
  flush(): Promise<void>
  close(): Promise<void>
}

interface Counts {
  device: KnownDevice
  frames: number
  fixes: number
  refused: number
  bad: Record<string, number>
  logins: number
  conflicts: number
  buffered: number
  clockSkewMs: number | null
  remote: string | null
  hasFix: boolean
  status: 'online' | 'offline' | null
  protocol: string | null
}
interface Notes {
  counts: Map<string, Counts>
  bad: (BadFrame & { device: KnownDevice })[]
  unknown: Map<string, UnknownDevice & { attempts: number }>
}

/** Stored frames per device, and stored unknown devices in total. */
export const maxFrames = 50
const maxUnknown = 10_000
const maxBytes = 2_048
/** Per flush; bad frames beyond it are only counted. */
const maxBad = 500

const emptyNotes = (): Notes => ({ counts: new Map(), bad: [], unknown: new Map() })

export interface DeviceStatsOptions {
  pool: GeoPools['ingest']
  log: Log
  everyMs?: number
  /** Called with devices that went on- or offline, once that is committed; must not throw. */
  onStatus?: (devices: KnownDevice[]) => void
}

export function createDeviceStats({ pool, log, everyMs = 3_000, onStatus }: DeviceStatsOptions): DeviceStats {
  let notes = emptyNotes()
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  const flush = () => {
    writing = writing
      .then(async () => {
        const taken = notes
        notes = emptyNotes()
        isWriting = true
        await write(pool, taken, onStatus).catch((error: unknown) => {
          log.warn({ err: error }, 'notes of the lines were lost')
          retainStatus(taken, notes)
        })
      })
      .finally(() => {
        isWriting = false
      })
    return writing
  }
  // While the database is away, notes of a device are merged into one.
  const timer = setInterval(() => {
    if (!isWriting) void flush()
  }, everyMs)
  timer.unref()
  return {
    note: (device, happened) => count(countsOf(notes, device), happened),
    setOnline(device, isOnline, protocol) {
      Object.assign(countsOf(notes, device), { status: isOnline ? 'online' : 'offline', protocol })
    },
    quarantine(device, frame) {
      framesRefused.inc({ protocol: frame.protocol, reason: frame.reason })
      count(countsOf(notes, device), { bad: frame.reason, remote: frame.remote })
      if (notes.bad.length < maxBad) notes.bad.push({ ...frame, device, bytes: frame.bytes.slice(0, maxBytes) })
    },
    noteUnknown(uniqueId, sender) {
      framesRefused.inc({ protocol: sender.protocol, reason: 'unknown device' })
      const known = notes.unknown.get(uniqueId)
      if (known || notes.unknown.size < 1_000) notes.unknown.set(uniqueId, { ...sender, attempts: (known?.attempts ?? 0) + 1 })
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
      // Status changes that an earlier write failed to store.
      await flush()
    },
  }
}

const framesRefused = counter('geo_frames_refused', 'Frames that were not taken, by protocol and reason', ['protocol', 'reason'])

/** Counts may be lost, but a status change is reported only once. */
function retainStatus({ counts }: Notes, later: Notes): void {
  for (const { device, status, protocol } of counts.values()) {
    if (status === null) continue
    const now = countsOf(later, device)
    if (now.status === null) Object.assign(now, { status, protocol })
  }
}

function countsOf(notes: Notes, device: KnownDevice): Counts {
  const known = notes.counts.get(device.deviceId)
  if (known) return known
  const fresh: Counts = {
    device,
    frames: 0,
    fixes: 0,
    refused: 0,
    bad: {},
    logins: 0,
    conflicts: 0,
    buffered: 0,
    clockSkewMs: null,
    remote: null,
    hasFix: false,
    status: null,
    protocol: null,
  }
  notes.counts.set(device.deviceId, fresh)
  return fresh
}

function count(counts: Counts, { bad, clockSkewMs, remote, ...numbers }: DeviceNote): void {
  for (const [key, value] of Object.entries(numbers) as [keyof typeof numbers, number][]) counts[key] += value
  if (bad) counts.bad[bad] = (counts.bad[bad] ?? 0) + 1
  if (clockSkewMs !== undefined) counts.clockSkewMs = Math.round(clockSkewMs)
  if (remote) counts.remote = remote
}

async function write(pool: GeoPools['ingest'], { counts, bad, unknown }: Notes, onStatus: DeviceStatsOptions['onStatus']): Promise<void> {
  const list = [...counts.values()].toSorted((a, b) => (a.device.deviceId < b.device.deviceId ? -1 : 1))
  if (list.length > 0)
    await pool.query(healthSql, [
      JSON.stringify(
        list.map(({ device, bad: reasons, ...one }) => ({ ...one, bad: reasons, companyId: device.companyId, deviceId: device.deviceId })),
      ),
    ])
  const states = list.filter(({ status }) => status !== null)
  if (states.length > 0) {
    const { rows } = await pool.query<{ id: string }>(statusSql, [
      states.map(({ device }) => device.companyId),
      states.map(({ device }) => device.deviceId),
      states.map(({ status }) => status),
      states.map(({ protocol }) => protocol),
    ])
    // Every frame reports its device as online; most change nothing.
    const changed = new Set(rows.map(({ id }) => id))
    if (changed.size > 0) onStatus?.(states.map(({ device }) => device).filter(({ deviceId }) => changed.has(deviceId)))
  }
  if (bad.length > 0) await writeBad(pool, bad)
  if (unknown.size > 0) await writeUnknown(pool, [...unknown])
}

const healthSql = `
  insert into geo.device_health as h ("companyId", "deviceId", "lastFrameAt", "lastFixAt", "frames", "fixes", "refused", "bad", "logins", "conflicts", "lastConflictAt", "buffered", "clockSkewMs", "lastRemote")
  select t."companyId", t."deviceId", now(), case when t."fixes" > 0 then now() end, t."frames", t."fixes", t."refused", t."bad", t."logins", t."conflicts", case when t."conflicts" > 0 then now() end, t."buffered", t."clockSkewMs", t."remote"
  from jsonb_to_recordset($1::jsonb) t("companyId" uuid, "deviceId" uuid, "frames" bigint, "fixes" bigint, "refused" bigint, "bad" jsonb, "logins" bigint, "conflicts" bigint, "buffered" bigint, "clockSkewMs" bigint, "remote" text)
  on conflict ("companyId", "deviceId") do update set
    "lastFrameAt" = excluded."lastFrameAt", "lastFixAt" = coalesce(excluded."lastFixAt", h."lastFixAt"), "frames" = h."frames" + excluded."frames", "fixes" = h."fixes" + excluded."fixes",
    "refused" = h."refused" + excluded."refused", "logins" = h."logins" + excluded."logins", "conflicts" = h."conflicts" + excluded."conflicts", "buffered" = h."buffered" + excluded."buffered",
    "lastConflictAt" = coalesce(excluded."lastConflictAt", h."lastConflictAt"), "clockSkewMs" = coalesce(excluded."clockSkewMs", h."clockSkewMs"), "lastRemote" = coalesce(excluded."lastRemote", h."lastRemote"), "dateModified" = now(),
    "bad" = h."bad" || (select coalesce(jsonb_object_agg(key, value::bigint + coalesce((h."bad" ->> key)::bigint, 0)), '{}') from jsonb_each_text(excluded."bad"))`

const statusSql = `
  update geo.device d set "status" = t.s, "statusAt" = now(), "protocol" = t.p from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) t(c, d, s, p)
  where d."companyId" = t.c and d."id" = t.d and (t.s <> 'online' or (d."deletedAt" is null and not d."disabled")) and (d."status" <> t.s or d."protocol" is distinct from t.p) returning d."id"`

async function writeBad(pool: GeoPools['ingest'], bad: readonly (BadFrame & { device: KnownDevice })[]): Promise<void> {
  const column = <Value>(pick: (one: BadFrame & { device: KnownDevice }) => Value) => bad.map(pick)
  await pool.query(
    `insert into geo.quarantine ("companyId", "deviceId", "protocol", "reason", "detail", "remote", "bytes")
    select t.c, t.d, t.p, t.r, t.t, t.m, decode(t.b, 'hex') from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) t(c, d, p, r, t, m, b)`,
    [
      column(({ device }) => device.companyId),
      column(({ device }) => device.deviceId),
      column(({ protocol }) => protocol),
      column(({ reason }) => reason),
      column(({ detail }) => detail.slice(0, 300).replaceAll('\0', '')),
      column(({ remote }) => remote),
      column(({ bytes }) => Buffer.from(bytes).toString('hex')),
    ],
  )
  const devices = uniqBy(
    bad.map(({ device }) => device),
    (device) => device.deviceId,
  )
  await pool.query(
    `delete from geo.quarantine q using unnest($1::uuid[], $2::uuid[]) t(c, d) where q."companyId" = t.c and q."deviceId" = t.d
    and q."id" < (select k."id" from geo.quarantine k where k."companyId" = t.c and k."deviceId" = t.d order by k."id" desc offset ${maxFrames - 1} limit 1)`,
    [devices.map((one) => one.companyId), devices.map((one) => one.deviceId)],
  )
}

async function writeUnknown(pool: GeoPools['ingest'], unknown: readonly [string, UnknownDevice & { attempts: number }][]): Promise<void> {
  const column = <Value>(pick: (one: UnknownDevice & { attempts: number }) => Value) => unknown.map(([, one]) => pick(one))
  await pool.query(
    `insert into geo.unlinked as u ("uniqueId", "protocol", "remote", "words", "attempts", "companyId")
    select * from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::bigint[], $6::uuid[])
    on conflict ("uniqueId") do update set "companyId" = coalesce(u."companyId", excluded."companyId"), "protocol" = excluded."protocol", "remote" = excluded."remote", "words" = u."words" || excluded."words", "attempts" = u."attempts" + excluded."attempts", "lastSeen" = now()`,
    [
      unknown.map(([id]) => id),
      column(({ protocol }) => protocol),
      column(({ remote }) => remote),
      column(({ words }) => JSON.stringify(words ?? {})),
      column(({ attempts }) => attempts),
      column(({ companyId }) => companyId ?? null),
    ],
  )
  await pool.query(
    `delete from geo.unlinked where "lastSeen" < (select "lastSeen" from geo.unlinked order by "lastSeen" desc offset ${maxUnknown} limit 1)`,
  )
}

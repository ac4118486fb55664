import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { DbContext, Sql } from '@outpost/platform/types'
import { connectionOf, inactivityOf, type Connection } from '../rules/connection.ts'
import type { GeoEvent } from '../rules/event.ts'
import type { MadeEvent } from './changes.ts'
import { writeEvents } from './events.ts'
import { readMemory, writeMemory } from './memory.ts'
import { lockOf, subjectOf, type DeviceRef } from './subject.ts'

/** Silence (ms) after which a device is offline unless its attribute offlineAfterMinutes says otherwise. */
const offlineAfter = 3 * 3_600_000

interface PresenceRow extends DeviceRef {
  lastSeen: number
  connection: Connection | null
  inactiveAt: number | null
  offlineAfterMinutes: number | null
  inactivityStart: number | null
  inactivityPeriod: number | null
}
interface PresenceChange extends PresenceRow {
  next: Connection
  told: number | null
  events: GeoEvent[]
}

/**
 * Reports devices that came online, fell silent or stay inactive. What was reported is stored, so a restart repeats nothing; time when
 * this service itself was down does not count as silence.
 */
export function createPresence({ pools, log, startedAt = Date.now() }: { pools: GeoPools; log: Log; startedAt?: number }): {
  pass(now?: number): Promise<number>
} {
  let downtime: number | null = null
  return {
    async pass(now = Date.now()) {
      const { rows } = await pools.ingest.query<PresenceRow>(presenceSql)
      downtime ??=
        startedAt - rows.reduce((latest, { lastSeen }) => (lastSeen < startedAt ? Math.max(latest, lastSeen) : latest), -Infinity)
      const away = Number.isFinite(downtime) ? downtime : 0
      const news = rows.flatMap((row) =>
        presenceChangeOf({ ...row, lastSeen: row.lastSeen < startedAt ? row.lastSeen + away : row.lastSeen }, now),
      )
      for (const [companyId, list] of Map.groupBy(news, (one) => one.companyId))
        await savePresenceChanges(pools.geo, companyId, list).catch((error: unknown) =>
          log.warn({ err: error, companyId }, 'presence waits'),
        )
      return news.length
    },
  }
}

function presenceChangeOf(row: PresenceRow, now: number): PresenceChange[] {
  const { lastSeen, connection, inactiveAt, offlineAfterMinutes, inactivityStart, inactivityPeriod } = row
  const { connection: next, event } = connectionOf({
    connection: connection ?? 'unknown',
    lastSeen,
    now,
    offlineAfter: offlineAfterMinutes ? offlineAfterMinutes * 60_000 : offlineAfter,
  })
  const inactive = inactivityStart
    ? inactivityOf({ lastSeen, now, start: inactivityStart, period: inactivityPeriod ?? 0, toldAt: inactiveAt })
    : null
  if (next === connection && !inactive) return []
  // The first observed state raises no event.
  const events = connection === null ? [] : [event, inactive].filter((one) => one !== null)
  return [{ ...row, next, told: inactive?.time ?? inactiveAt, events }]
}

const whole = (name: string) => `case when d."attributes" ->> '${name}' ~ '^[0-9]{1,12}$' then (d."attributes" ->> '${name}')::float8 end`
const presenceSql = `
  select d."companyId", d."id" as "deviceId", (extract(epoch from h."lastFrameAt") * 1000)::float8 as "lastSeen", p."connection", (extract(epoch from p."inactiveAt") * 1000)::float8 as "inactiveAt",
    ${whole('offlineAfterMinutes')} as "offlineAfterMinutes", ${whole('deviceInactivityStart')} as "inactivityStart", ${whole('deviceInactivityPeriod')} as "inactivityPeriod"
  from geo.device d join geo.device_health h on h."companyId" = d."companyId" and h."deviceId" = d."id"
  left join geo.presence p on p."companyId" = d."companyId" and p."deviceId" = d."id"
  where d."deletedAt" is null and not d."disabled" and h."lastFrameAt" is not null`

async function savePresenceChanges(pool: GeoPools['geo'], companyId: string, list: readonly PresenceChange[]): Promise<void> {
  const context: DbContext = { company: companyId, scope: '*', user: null, tenant: null }
  await transactionIn(pool, context, (db) =>
    writePresence(
      db,
      companyId,
      list.filter(({ events }) => events.length === 0),
    ),
  )
  for (const one of list.filter(({ events }) => events.length > 0)) {
    await transactionIn(
      pool,
      context,
      async (db) => {
        // The device lock is taken because processing writes its memory too.
        await db.exec(sql`select pg_advisory_xact_lock(${lockOf(one)})`)
        await writePresence(db, companyId, [one])
        await writePresenceEvents(db, one)
      },
      { retry: true },
    )
  }
}

async function writePresenceEvents(db: Sql, { events, ...device }: PresenceChange): Promise<void> {
  const times = events.map(({ time }) => time)
  const subject = await subjectOf(db, device, { from: Math.min(...times), to: Math.max(...times) })
  if (!subject) return
  const { companyId, deviceId } = subject
  const place = await db.maybe<{ latitude: number | null; longitude: number | null }>(
    sql`select "latitude", "longitude" from geo.latest where "companyId" = ${companyId} and "deviceId" = ${deviceId}`,
  )
  // A sleeping device is silent every hour: that is stored only for those who ask for it.
  const asked = await db.query<{ type: string }>(
    sql`select distinct "type" from geo.event_io where "companyId" = ${companyId} and "tenantId" = any(${subject.tenants}::uuid[]) and "isActive" and "deletedAt" is null and "type" = 'deviceUnknown'`,
  )
  const insert = events
    .filter(({ type }) => type !== 'deviceUnknown' || asked.length > 0)
    .map((event): MadeEvent => ({ ...event, ...place, originTime: event.time }))
  if (insert.length === 0) return
  const memory = await readMemory(db, subject)
  await writeMemory(db, subject, { ...memory, told: await writeEvents(db, subject, [{ insert, correct: [], retract: [] }], memory.told) })
}

async function writePresence(db: Sql, companyId: string, list: readonly PresenceChange[]): Promise<void> {
  if (list.length === 0) return
  const c = <Value>(pick: (one: PresenceChange) => Value) => list.map(pick)
  await db.exec(sql`
    insert into geo.presence ("companyId", "deviceId", "connection", "lastSeen", "inactiveAt")
    select ${companyId}, t.d, t.c, to_timestamp(t.s / 1000.0), to_timestamp(t.i / 1000.0)
    from unnest(${c((one) => one.deviceId)}::uuid[], ${c((one) => one.next)}::text[], ${c((one) => one.lastSeen)}::float8[], ${c((one) => one.told)}::float8[]) t(d, c, s, i)
    on conflict ("companyId", "deviceId") do update set "connection" = excluded."connection", "lastSeen" = excluded."lastSeen", "inactiveAt" = excluded."inactiveAt"`)
}

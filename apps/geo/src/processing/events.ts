import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { severityOf, type Severity } from '../rules/catalogue.ts'
import { matchRules, type LastNotified } from '../rules/match.ts'
import type { Rule } from '../rules/rule.ts'
import { nameOf, correctionMs, type EventChanges, type EventName, type MadeEvent } from './changes.ts'
import { writeReactions, type NewEvent } from './reactions.ts'
import type { DeviceRef, Subject } from './subject.ts'
import { writeVisits } from './visits.ts'

const late = 15 * 60_000
type Known = Omit<NewEvent, 'match'> & { event: MadeEvent }
const weight: Record<Severity, number> = { info: 0, warning: 1, critical: 2 }

/**
 * Writes changes of events and of the visits they form. Only new events are matched with rules: corrected or restored ones have notified
 * before. Returns when each rule last notified.
 */
export async function writeEvents(db: Sql, subject: Subject, list: readonly EventChanges[], told: LastNotified): Promise<LastNotified> {
  for (const { retract, correct } of list) {
    await retractEvents(db, subject, retract)
    for (const { from, to } of correct) await correctEvent(db, subject, from, to)
  }
  const byName = new Map(list.flatMap(({ insert }) => insert).map((event) => [nameOf(event), event]))
  const fresh =
    byName.size === 0
      ? []
      : await insertEvents(
          db,
          subject,
          [...byName.values()].toSorted((a, b) => a.time - b.time),
        )
  for (const changes of list) await writeVisits(db, subject, changes)
  return fresh.length === 0 ? told : react(db, subject, fresh, told)
}

const own = ({ companyId, deviceId }: DeviceRef) => sql`e."companyId" = ${companyId} and e."deviceId" = ${deviceId}`
const named = ({ type, time, key }: EventName) => sql`e."type" = ${type} and e."eventTime" = ${new Date(time)} and e."key" = ${key}`

async function retractEvents(db: Sql, device: DeviceRef, names: readonly EventName[]): Promise<void> {
  for (const name of names) await db.exec(sql`update geo.event e set "isSuperseded" = true where ${own(device)} and ${named(name)}`)
}

/** The row keeps its id and acknowledgement. A superseded row with the new name is removed first. */
async function correctEvent(db: Sql, device: DeviceRef, from: EventName, to: MadeEvent): Promise<void> {
  if (nameOf(from) !== nameOf(to)) await db.exec(sql`delete from geo.event e where ${own(device)} and ${named(to)}`)
  await db.exec(sql`
    update geo.event e set "eventTime" = ${new Date(to.time)}, "key" = ${to.key}, "latitude" = ${to.latitude}, "longitude" = ${to.longitude}, "speed" = ${to.speed}, "geofenceId" = ${to.geofenceId},
      "attributes" = ${JSON.stringify(to.attributes)}, "originTime" = ${new Date(to.originTime)}, "origin" = ${to.origin ? JSON.stringify(to.origin) : null}::jsonb where ${own(device)} and ${named(from)}`)
}

/** Inserts events and returns those that are new. A superseded event that is true again keeps its id and gets the current content. */
async function insertEvents(db: Sql, { companyId, deviceId }: DeviceRef, events: readonly MadeEvent[]): Promise<Known[]> {
  const now = Date.now()
  const rows = events.map(({ time, originTime, origin = null, ...same }) => {
    const alarm = typeof same.attributes.alarm === 'string' ? same.attributes.alarm : undefined
    return {
      ...same,
      eventTime: new Date(time),
      originTime: new Date(originTime),
      origin,
      severity: severityOf(same.type, alarm),
      isLate: now - time > late,
    }
  })
  const inserted = await db.query<EventName & { id: string; isNew: boolean }>(sql`
    insert into geo.event as e ("companyId", "deviceId", "type", "eventTime", "key", "latitude", "longitude", "speed", "geofenceId", "severity", "attributes", "isLate", "originTime", "origin")
    select ${companyId}, ${deviceId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r("type" text, "eventTime" timestamptz, "key" text, "latitude" float8, "longitude" float8, "speed" real,
      "geofenceId" uuid, "severity" text, "attributes" jsonb, "isLate" boolean, "originTime" timestamptz, "origin" jsonb)
    on conflict ("companyId", "deviceId", "eventTime", "type", "key") do update set "isSuperseded" = false, "originTime" = excluded."originTime", "origin" = excluded."origin",
      "latitude" = excluded."latitude", "longitude" = excluded."longitude", "speed" = excluded."speed", "geofenceId" = excluded."geofenceId", "attributes" = excluded."attributes"
    returning e."id", e."type", (extract(epoch from e."eventTime") * 1000)::float8 as "time", e."key", e.xmax = 0 as "isNew"`)
  const ids = new Map(inserted.filter(({ isNew }) => isNew).map((row) => [nameOf(row), row.id]))
  return events.flatMap((event) => {
    const eventId = ids.get(nameOf(event))
    return eventId === undefined ? [] : [{ eventId, event }]
  })
}

/** Matches new events with rules; the match with the highest severity is stored with the event. */
async function react(db: Sql, subject: Subject, fresh: readonly Known[], told: LastNotified): Promise<LastNotified> {
  const { companyId, deviceId, timeZone } = subject
  const rules = await rulesFor(db, subject, fresh)
  if (rules.length === 0) return told
  const visits = await visitsAround(db, subject, fresh)
  const repeated = await repeatedOf(db, subject, fresh)
  const happened: NewEvent[] = []
  let renewed = told
  for (const { eventId, event } of fresh) {
    const insideFences = visits
      .filter(({ enter, exit }) => enter <= event.time && (exit === null || exit > event.time))
      .map(({ geofenceId }) => geofenceId)
    const found = matchRules(event, rules, { context: { deviceId, insideFences, timeZone, now: Date.now() }, told: renewed })
    const isRepeated = repeated.has(eventId)
    if (!isRepeated) renewed = found.told
    const [first] = found.matches.toSorted((a, b) => weight[b.severity] - weight[a.severity])
    if (!first) continue
    await db.exec(
      sql`update geo.event set "eventIoId" = ${first.ruleId}, "severity" = ${first.severity} where "companyId" = ${companyId} and "id" = ${eventId}`,
    )
    happened.push(
      ...found.matches.map((match) => ({ eventId, event, match: isRepeated ? { ...match, silence: 'repeated' as const } : match })),
    )
  }
  await writeReactions(db, subject, happened)
  return renewed
}

/** New events that notified before under another time: retracted since, and now true again within two minutes of it. */
async function repeatedOf(db: Sql, { companyId }: Subject, fresh: readonly Known[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select e."id" from geo.event e where e."companyId" = ${companyId} and e."id" = any(${fresh.map(({ eventId }) => eventId)}::uuid[]) and exists (
      select from geo.event b where b."companyId" = e."companyId" and b."deviceId" = e."deviceId" and b."type" = e."type" and b."isSuperseded"
        and b."eventTime" between e."eventTime" - ${correctionMs / 1000} * interval '1 second' and e."eventTime" + ${correctionMs / 1000} * interval '1 second'
        and b."geofenceId" is not distinct from e."geofenceId" and (b."geofenceId" is not null or b."key" = e."key")
        and exists (select from geo.reaction r where r."companyId" = b."companyId" and r."eventId" = b."id" and r."state" = 'done'))`)
  return new Set(rows.map(({ id }) => id))
}

function rulesFor(db: Sql, { companyId, tenants }: Subject, fresh: readonly Known[]): Promise<Rule[]> {
  return db.query<Rule>(sql`
    select "id", "type", "conditions", "severity", "cooldownSeconds", "calendar" from geo.event_io
    where "companyId" = ${companyId} and "tenantId" = any(${tenants}::uuid[]) and "isActive" and "deletedAt" is null and "type" = any(${[...new Set(fresh.map(({ event }) => event.type))]}) order by "id"`)
}

function visitsAround(
  db: Sql,
  { companyId, deviceId }: Subject,
  fresh: readonly Known[],
): Promise<{ geofenceId: string; enter: number; exit: number | null }[]> {
  const times = fresh.map(({ event }) => event.time)
  return db.query(sql`
    select "geofenceId", (extract(epoch from "enterTime") * 1000)::float8 as "enter", (extract(epoch from "exitTime") * 1000)::float8 as "exit" from geo.visit
    where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "enterTime" <= ${new Date(times.at(-1)!)} and ("exitTime" is null or "exitTime" > ${new Date(times[0]!)})`)
}

import { randomUUIDv7 } from 'node:crypto'
import { failField } from '@outpost/contract/errors'
import { occurrencesBetween, recurrenceHorizonDays, refuseRecurrence, refuseRecurrenceFrom } from '@outpost/rules/activities/recurrence'
import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../../kernel/jobs/enqueue.ts'
import { audit } from '../../../kernel/audit.ts'
import { announce } from '../../../kernel/realtime/announce.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import { recordChange, withStream, type Stream } from '../../../kernel/sync/stream.ts'
import type { Ctx, JobDefinition } from '../../../kernel/types.ts'
import { agentIds, idsIn } from '../agents/activity.agents.ts'
import { activity } from '../activity.resource.ts'

/** How far a change of an occurrence goes. */
export const scopes = ['this', 'following', 'all'] as const
export type Scope = (typeof scopes)[number]

interface SeriesRow {
  id: string
  tenantId: string
  recurrence: string
  minutes: number
  name: string
  description: string | null
  activityTypeId: string | null
  location: string | null
  lat: string | null
  lng: string | null
  agents: string[]
  leads: string[]
  clients: string[]
  createdUserId: string
  createdBy: string
  /** Wall-clock times of the company's zone. */
  start: string
  after: string | null
  until: string
  endedAt: string | null
}

const dayMs = 86_400_000
const wall = 'YYYY-MM-DD"T"HH24:MI:SS'
const topUpEveryDays = 7

/** A rule that is none is refused; '' and null mean that the activity does not repeat. */
export function checkedRule(rule: string | null | undefined): string | undefined {
  if (rule === undefined || rule === null || rule.trim() === '') return undefined
  refuse(refuseRecurrence(rule))
  return rule.trim().replace(/^RRULE:/i, '')
}

function refuse(refusal: string | undefined): void {
  if (refusal) failField('recurrence', refusal)
}

/** Makes an activity the first of a series and its later occurrences, up to the horizon. Must run inside withStream. INVALID when there would never be one. */
export async function startSeries(ctx: Ctx, activityId: string, rule: string): Promise<void> {
  const id = randomUUIDv7()
  const made = await getRecord(ctx, activity, activityId)
  const [users, leads, clients] = [agentIds(made), idsIn(made, 'leads'), idsIn(made, 'clients')]
  await ctx.sql.exec(sql`
    insert into activity_series ("companyId", "id", "tenantId", "recurrence", "startDate", "minutes", "name", "description", "activityTypeId", "location", "lat", "lng", "agents", "leads", "clients", "createdUserId", "createdBy", "madeUntil")
    select v."companyId", ${id}::uuid, v."tenantId", ${rule}, v."startDate", greatest(0, extract(epoch from v."endDate" - v."startDate") / 60)::int, v."name", v."description", v."activityTypeId",
      v."location", v."lat", v."lng", ${users}::uuid[], ${leads}::uuid[], ${clients}::uuid[], v."createdUserId", v."createdBy", v."startDate"
    from activity v where v."companyId" = ${ctx.company.id} and v."id" = ${activityId}`)
  await ctx.sql.exec(
    sql`update activity set "seriesId" = ${id}, "occurrenceDate" = "startDate" where "companyId" = ${ctx.company.id} and "id" = ${activityId}`,
  )
  const series = await readSeries(ctx, id)
  if (series) refuse(refuseRecurrenceFrom(rule, series.start))
  await topUp(ctx, id)
  await enqueueTopUp(ctx, id)
}

/** Makes the occurrences that the horizon has come to hold; those that exist, moved or deleted ones included, stay as they are. Gives their ids. */
export async function topUp(ctx: Ctx, seriesId: string): Promise<string[]> {
  return withStream(ctx, async (inner, stream) => {
    const series = await readSeries(inner, seriesId)
    if (!series || series.endedAt) return []
    const times = occurrencesBetween({
      rule: series.recurrence,
      start: series.start,
      after: series.after ?? undefined,
      until: series.until,
    })
    const made = await insertOccurrences(inner, stream, series, times)
    await inner.sql.exec(
      sql`update activity_series set "madeUntil" = ${series.until}::timestamp at time zone ${inner.company.timeZone} where "companyId" = ${inner.company.id} and "id" = ${seriesId}`,
    )
    return made
  })
}

function readSeries(ctx: Ctx, id: string): Promise<SeriesRow | undefined> {
  const { timeZone } = ctx.company
  const at = (column: ReturnType<typeof sql>) => sql`to_char(${column} at time zone ${timeZone}, ${wall})`
  return ctx.sql.maybe<SeriesRow>(sql`
    select s."id", s."tenantId", s."recurrence", s."minutes", s."name", s."description", s."activityTypeId", s."location", s."lat"::text, s."lng"::text, s."agents", s."leads", s."clients",
      s."createdUserId", s."createdBy", s."endedAt"::text, ${at(sql`s."startDate"`)} as start, ${at(sql`s."madeUntil"`)} as after,
      ${at(sql`(greatest(now(), s."startDate") + make_interval(days => ${recurrenceHorizonDays}::int))`)} as until
    from activity_series s where s."companyId" = ${ctx.company.id} and s."id" = ${id} for update`)
}

async function insertOccurrences(ctx: Ctx, stream: Stream, series: SeriesRow, times: readonly string[]): Promise<string[]> {
  if (times.length === 0) return []
  const rows = times.map((time) => ({ id: randomUUIDv7(), time, seq: stream.next() }))
  const made = await ctx.sql.query<{ id: string; seq: number }>(sql`
    insert into activity ("companyId", "id", "tenantId", "name", "description", "activityTypeId", "statusId", "status", "location", "lat", "lng", "startDate", "endDate",
      "createdUserId", "createdBy", "seriesId", "occurrenceDate", "syncSeq")
    select ${ctx.company.id}::uuid, r."id", ${series.tenantId}::uuid, ${series.name}, ${series.description}, ${series.activityTypeId}::uuid, s."id", coalesce(s."name", 'PENDING'), ${series.location},
      ${series.lat}::numeric, ${series.lng}::numeric, r.at, r.at + make_interval(mins => ${series.minutes}::int), ${series.createdUserId}::uuid, ${series.createdBy}, ${series.id}::uuid, r.at, r."seq"
    from (select "id", "time"::timestamp at time zone ${ctx.company.timeZone} as at, "seq" from json_to_recordset(${JSON.stringify(rows)}::json) as g("id" uuid, "time" text, "seq" bigint)) r
    left join lateral (select "id", "name" from activity_status where "companyId" = ${ctx.company.id} and "default" and "status" = 1
      order by ("tenantId" = ${series.tenantId}) desc, "position", "id" limit 1) s on true
    on conflict ("companyId", "seriesId", "occurrenceDate") do nothing
    returning "id", "syncSeq"::float8 as seq`)
  // A number that no row took still gets its receipt: every number has one.
  const taken = new Set(made.map(({ id }) => id))
  for (const { id, seq } of rows) {
    if (taken.has(id))
      recordChange(stream, seq, { entityType: activity.one, entityId: id, tenantId: series.tenantId, changeType: 'INSERT' })
    else stream.receipt({ changeId: id, seq, entityType: activity.one, entityId: id, changeType: 'INSERT', result: 'applied' })
  }
  const ids = [...taken]
  await linkOccurrences(ctx, series, ids)
  if (ids.length > 0)
    audit(ctx, {
      action: 'activity.repeat',
      objectType: 'activitySeries',
      objectId: series.id,
      after: { recurrence: series.recurrence, made: ids.length },
    })
  announce(ctx, activity, ids, 'created', [series.tenantId])
  return ids
}

async function linkOccurrences(
  ctx: Ctx,
  { tenantId, agents: named, leads, clients, createdUserId }: SeriesRow,
  ids: readonly string[],
): Promise<void> {
  const company = ctx.company.id
  const agents = named.length > 0 ? named : [createdUserId]
  await ctx.sql.exec(sql`
    insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId", "statusId", "statusText")
    select v."companyId", gen_random_uuid(), v."tenantId", v."id", u."id", v."statusId", v."status" from activity v
    join app_user u on u."companyId" = v."companyId" and u."id" = any(${agents}::uuid[]) and u."deletedAt" is null and u."status" = 1
    where v."companyId" = ${company} and v."id" = any(${ids}::uuid[]) on conflict do nothing`)
  await ctx.sql.exec(sql`
    insert into activity_lead ("companyId", "activityId", "leadId", "tenantId") select ${company}::uuid, a.id, l."id", ${tenantId}::uuid
    from unnest(${ids}::uuid[]) a(id), lead l where l."companyId" = ${company} and l."id" = any(${leads}::uuid[]) and l."deletedAt" is null on conflict do nothing`)
  await ctx.sql.exec(sql`
    insert into activity_client ("companyId", "activityId", "clientId", "tenantId") select ${company}::uuid, a.id, c."id", ${tenantId}::uuid
    from unnest(${ids}::uuid[]) a(id), client c where c."companyId" = ${company} and c."id" = any(${clients}::uuid[]) and c."deletedAt" is null on conflict do nothing`)
}

/* ---------- the later part of a series ---------- */

export type SeriesScope = Exclude<Scope, 'this'>

/** What of an occurrence's series a scope means: those to be done, this one and later ones or all. */
export function openOccurrences(ctx: Ctx, activityId: string, scope: SeriesScope): Promise<{ id: string }[]> {
  return ctx.sql.query<{ id: string }>(sql`
    select o."id" from activity v
      join activity o on o."companyId" = v."companyId" and o."seriesId" = v."seriesId" and o."deletedAt" is null
      left join activity_status s on s."companyId" = o."companyId" and s."id" = o."statusId"
    where v."companyId" = ${ctx.company.id} and v."id" = ${activityId} and coalesce(s."meaning", 'open') = 'open'
      and (${scope === 'all'} or o."occurrenceDate" >= v."occurrenceDate") order by o."occurrenceDate"`)
}

/** Ends a series, here or as a whole; gives the ids of the occurrences that are to go with it. */
export async function removeSeriesPart(ctx: Ctx, activityId: string, scope: SeriesScope): Promise<string[]> {
  const open = await openOccurrences(ctx, activityId, scope)
  await endSeries(ctx, activityId)
  return open.map(({ id }) => id)
}

/** No further occurrence is made. */
export async function endSeries(ctx: Ctx, activityId: string): Promise<void> {
  await ctx.sql.exec(sql`
    update activity_series s set "endedAt" = now() from activity v
    where v."companyId" = ${ctx.company.id} and v."id" = ${activityId} and s."companyId" = v."companyId" and s."id" = v."seriesId" and s."endedAt" is null`)
}

/* ---------- the job ---------- */

const enqueueTopUp = (ctx: Ctx, seriesId: string) =>
  enqueueJob(ctx, 'activities.topUp', { seriesId }, new Date(Date.now() + topUpEveryDays * dayMs))

/** Keeps a series filled up to its horizon, week by week, until it ends. */
export const topUpJob: JobDefinition = {
  name: 'activities.topUp',
  run: async (ctx, { seriesId }) => {
    const id = String(seriesId)
    const alive = await ctx.sql.maybe(
      sql`select 1 as one from activity_series where "companyId" = ${ctx.company.id} and "id" = ${id} and "endedAt" is null`,
    )
    if (!alive) return
    await topUp(ctx, id)
    await enqueueTopUp(ctx, id)
  },
}

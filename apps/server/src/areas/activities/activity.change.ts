import { fail } from '@outpost/contract/errors'
import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import { getRecord, removeRecords, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import type { Ctx } from '../../kernel/types.ts'
import { z } from 'zod'
import { idsOf, idsOrRecords, setLinks, type Links } from './activity.links.ts'
import { activity, scopes } from './activity.resource.ts'
import { activeStatus, assertTransition } from './activity.rules.ts'
import { checkedRule, endSeries, openOccurrences, startSeries, type SeriesScope } from './activity.series.ts'
import { takeOver } from './activity.status.ts'
import { touch } from './activity.touch.ts'

/** Files come by a call of their own, with where the agent was; a whole activity names none. */
const noFiles = z.array(z.unknown()).max(0, 'are sent to update-assignment-files').nullish()
const setApart = {
  newFiles: noFiles,
  removedFiles: noFiles,
  assignedUsers: idsOrRecords,
  leads: idsOrRecords,
  clients: idsOrRecords,
  recurrence: z.string().max(300).nullish(),
  scope: z.enum(scopes).nullish(),
  statusId: z.union([idSchema, z.literal('')]).nullish(),
}
/** An activity with its agents, leads and clients, by id or as records that carry one; the rest is checked by the resource. */
export const activityInput = z.looseObject(setApart)
export const activityUpdate = activityInput.extend({ id: idSchema })
type Change = z.infer<typeof activityInput>

/**
 * Changes an activity: fields, status (which all its agents take over), links. With a scope the later occurrences of
 * its series, or all that are still to be done, change alike. Must run inside withStream.
 */
export async function changeActivity(
  ctx: Ctx,
  id: string,
  { assignedUsers, leads, clients, recurrence, scope, statusId, newFiles: _, removedFiles: __, ...body }: Change,
): Promise<WireRecord> {
  const before = await getRecord(ctx, activity, id)
  const rule = recurrence === undefined ? undefined : (checkedRule(recurrence) ?? null)
  const fields = checkInput(writeSchemas(activity).update, { ...body, ...(statusId ? { statusId } : {}), id })
  await passStatus(ctx, before, fields['statusId'])
  const saved = await updateRecord(ctx, activity, id, fields)
  const links = { users: idsOf(assignedUsers), leads: idsOf(leads), clients: idsOf(clients) }
  await setLinks(ctx, id, links)
  const isNewRule = rule !== undefined && rule !== before['recurrence']
  const inSeries = before['seriesId'] !== null
  if (inSeries && isNewRule) await changeRule(ctx, id, { rule, scope: scope ?? 'this' })
  else if (inSeries && scope && scope !== 'this') await changeOthers(ctx, id, { scope, before, saved, fields, links })
  else if (isNewRule && rule) await startSeries(ctx, id, rule)
  return getRecord(ctx, activity, id)
}

async function passStatus(ctx: Ctx, before: WireRecord, statusId: unknown): Promise<void> {
  if (typeof statusId !== 'string' || statusId === before['statusId']) return
  const to = await activeStatus(ctx, statusId)
  await assertTransition(ctx, {
    from: { name: String(before['status']), meaning: (before['meaning'] as ActivityMeaning | null) ?? 'open' },
    to,
  })
  await takeOver(ctx, before.Id, { to })
}

/** From here on the series repeats otherwise, or no more: what it had planned goes, and a new one begins. */
async function changeRule(ctx: Ctx, id: string, { rule, scope }: { rule: string | null; scope: string }): Promise<void> {
  if (scope === 'this')
    fail('INVALID', { fields: [{ field: 'scope', message: 'must hold the following ones: how one repeats is how they do' }] })
  const later = (await openOccurrences(ctx, id, 'following')).filter((one) => one.id !== id)
  await endSeries(ctx, id)
  if (later.length > 0)
    await removeRecords(
      ctx,
      activity,
      later.map((one) => one.id),
    )
  await ctx.sql.exec(
    sql`update activity set "seriesId" = null, "occurrenceDate" = null where "companyId" = ${ctx.company.id} and "id" = ${id}`,
  )
  if (rule) await startSeries(ctx, id, rule)
}

interface Others {
  scope: SeriesScope
  before: WireRecord
  saved: WireRecord
  fields: Record<string, unknown>
  links: Links
}
/** Fields that occurrences have in common. */
const shared = ['name', 'description', 'activityTypeId', 'location', 'lat', 'lng'] as const

async function changeOthers(ctx: Ctx, id: string, { scope, before, saved, fields, links }: Others): Promise<void> {
  const others = (await openOccurrences(ctx, id, scope)).filter((one) => one.id !== id)
  const common = Object.fromEntries(shared.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, fields[key]]))
  const isMoved = before['startDate'] !== saved['startDate'] || before['endDate'] !== saved['endDate']
  const seconds = (Date.parse(String(saved['startDate'])) - Date.parse(String(before['startDate']))) / 1_000
  const length = (Date.parse(String(saved['endDate'])) - Date.parse(String(saved['startDate']))) / 1_000
  if (seconds !== 0) await moveSeries(ctx, id, { scope, seconds })
  for (const other of others) {
    const times = isMoved ? await shifted(ctx, other.id, { seconds, length }) : {}
    await touch(ctx, other.id, { ...common, ...times })
    await setLinks(ctx, other.id, links, { isQuiet: true })
  }
  await changePattern(ctx, id, { common, minutes: isMoved ? Math.round(length / 60) : null, links })
}

/** Moved on the clock of the company's zone, so that all stay at the same time of day. */
async function shifted(
  ctx: Ctx,
  id: string,
  { seconds, length }: { seconds: number; length: number },
): Promise<{ startDate: Date; endDate: Date }> {
  const { timeZone } = ctx.company
  return ctx.sql.one<{ startDate: Date; endDate: Date }>(sql`
    select m.at as "startDate", m.at + make_interval(secs => ${length}::float8) as "endDate"
    from (select (("startDate" at time zone ${timeZone}) + make_interval(secs => ${seconds}::float8)) at time zone ${timeZone} as at
      from activity where "companyId" = ${ctx.company.id} and "id" = ${id}) m`)
}

/** Moves the times that the series gave, deleted and finished occurrences included, so that none is made twice. */
async function moveSeries(ctx: Ctx, id: string, { scope, seconds }: { scope: SeriesScope; seconds: number }): Promise<void> {
  const [{ timeZone }, company] = [ctx.company, ctx.company.id]
  const { seriesId, recurrence, isOtherDay, from } = await ctx.sql.one<{
    seriesId: string
    recurrence: string
    isOtherDay: boolean
    from: Date
  }>(sql`
    select v."seriesId", s."recurrence", v."occurrenceDate" as from,
      (v."occurrenceDate" at time zone ${timeZone})::date <> ((v."occurrenceDate" at time zone ${timeZone}) + make_interval(secs => ${seconds}::float8))::date as "isOtherDay"
    from activity v join activity_series s on s."companyId" = v."companyId" and s."id" = v."seriesId" where v."companyId" = ${company} and v."id" = ${id}`)
  if (isOtherDay && /BY|DAILY/.test(recurrence))
    fail('INVALID', { fields: [{ field: 'startDate', message: 'moves to another day: change how it repeats instead' }] })
  const later = sql`"companyId" = ${company} and "seriesId" = ${seriesId} and (${scope === 'all'} or "occurrenceDate" >= ${from})`
  const moved = sql`(("occurrenceDate" at time zone ${timeZone}) + make_interval(secs => ${seconds}::float8)) at time zone ${timeZone}`
  const meets = await ctx.sql.maybe(
    sql`select 1 as one from activity where "companyId" = ${company} and "seriesId" = ${seriesId} and not (${later}) and "occurrenceDate" in (select ${moved} from activity where ${later}) limit 1`,
  )
  if (meets) fail('INVALID', { fields: [{ field: 'startDate', message: 'meets another occurrence of the series' }] })
  // By way of the far future: one statement would trip over the times that others are about to leave.
  await ctx.sql.exec(sql`update activity set "occurrenceDate" = ${moved} + interval '1000 years' where ${later}`)
  await ctx.sql.exec(
    sql`update activity set "occurrenceDate" = "occurrenceDate" - interval '1000 years' where "companyId" = ${company} and "seriesId" = ${seriesId} and "occurrenceDate" > now() + interval '500 years'`,
  )
  await ctx.sql.exec(sql`
    update activity_series set "startDate" = (("startDate" at time zone ${timeZone}) + make_interval(secs => ${seconds}::float8)) at time zone ${timeZone}
    where "companyId" = ${company} and "id" = ${seriesId}`)
}

/** What later occurrences will be made from: those that exist stay, so the pattern is that of the ones to come. */
async function changePattern(
  ctx: Ctx,
  id: string,
  { common, minutes, links }: { common: Record<string, unknown>; minutes: number | null; links: Links },
): Promise<void> {
  const text = JSON.stringify(common)
  await ctx.sql.exec(sql`
    update activity_series s set "name" = n."name", "description" = n."description", "activityTypeId" = n."activityTypeId", "location" = n."location", "lat" = n."lat", "lng" = n."lng",
      "minutes" = coalesce(${minutes}::int, s."minutes"), "agents" = coalesce(${links.users ?? null}::uuid[], s."agents"),
      "leads" = coalesce(${links.leads ?? null}::uuid[], s."leads"), "clients" = coalesce(${links.clients ?? null}::uuid[], s."clients")
    from activity v, activity_series o, json_populate_record(o, ${text}::json) n
    where v."companyId" = ${ctx.company.id} and v."id" = ${id} and s."companyId" = v."companyId" and s."id" = v."seriesId" and o."companyId" = s."companyId" and o."id" = s."id"`)
}

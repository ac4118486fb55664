import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { removeRecords, type WireRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { activity } from '../activity.resource.ts'
import { endSeries, openOccurrences, startSeries, type Scope, type SeriesScope } from './activity.series.ts'

interface SeriesChange {
  before: WireRecord
  after: WireRecord
  /** Checked fields that the change gave. */
  fields: Record<string, unknown>
  /** How it repeats from now on; null: no more. Undefined: as before. */
  rule: string | null | undefined
  scope: Scope
}

/** What a change of an activity means for its series: later occurrences change alike, another rule begins a new series. Must run inside withStream. */
export async function changeSeries(ctx: Ctx, { rule, scope, ...change }: SeriesChange): Promise<void> {
  const { before } = change
  const isNewRule = rule !== undefined && rule !== before['recurrence']
  if (before['seriesId'] === null) return isNewRule && rule ? startSeries(ctx, before.Id, rule) : undefined
  if (isNewRule) return changeRule(ctx, before.Id, { rule, scope })
  if (scope !== 'this') await changeOthers(ctx, { scope, ...change })
}

/** From here on the series repeats otherwise, or no more: what it had planned goes, and a new one begins. */
async function changeRule(ctx: Ctx, id: string, { rule, scope }: { rule: string | null; scope: Scope }): Promise<void> {
  if (scope === 'this') failField('scope', 'must hold the following ones: how one repeats is how they do')
  const later = (await openOccurrences(ctx, id, 'following')).filter((one) => one.id !== id)
  await endSeries(ctx, id)
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

/** What occurrences have in common, and whom they are for. */
const shared = ['name', 'description', 'activityTypeId', 'location', 'lat', 'lng'] as const
const links = ['assignedUsers', 'leads', 'clients'] as const
type Links = Partial<Record<(typeof links)[number], unknown>>

const pick = (fields: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, fields[key]]))

async function changeOthers(
  ctx: Ctx,
  { scope, before, after, fields }: Omit<SeriesChange, 'rule' | 'scope'> & { scope: SeriesScope },
): Promise<void> {
  const others = (await openOccurrences(ctx, before.Id, scope)).filter(({ id }) => id !== before.Id)
  const [common, linked] = [pick(fields, shared), pick(fields, links)]
  const isMoved = before['startDate'] !== after['startDate'] || before['endDate'] !== after['endDate']
  const seconds = (Date.parse(String(after['startDate'])) - Date.parse(String(before['startDate']))) / 1_000
  const length = (Date.parse(String(after['endDate'])) - Date.parse(String(after['startDate']))) / 1_000
  if (seconds !== 0) await moveSeries(ctx, before.Id, { scope, seconds })
  const times = isMoved ? await movedTimes(ctx, others, { seconds, length }) : undefined
  await writeRecords(
    ctx,
    activity,
    others.map(({ id }) => ({ kind: 'update', id, input: { ...common, ...linked, ...times?.get(id) } })),
  )
  await changePattern(ctx, before.Id, { common, minutes: isMoved ? Math.round(length / 60) : null, links: linked })
}

/** Moved on the clock of the company's zone, so that all stay at the same time of day. */
async function movedTimes(
  ctx: Ctx,
  others: readonly { id: string }[],
  { seconds, length }: { seconds: number; length: number },
): Promise<ReadonlyMap<string, { startDate: Date; endDate: Date }>> {
  const { timeZone } = ctx.company
  const rows = await ctx.sql.query<{ id: string; startDate: Date; endDate: Date }>(sql`
    select m."id", m.at as "startDate", m.at + make_interval(secs => ${length}::float8) as "endDate"
    from (select "id", (("startDate" at time zone ${timeZone}) + make_interval(secs => ${seconds}::float8)) at time zone ${timeZone} as at
      from activity where "companyId" = ${ctx.company.id} and "id" = any(${others.map(({ id }) => id)}::uuid[])) m`)
  return new Map(rows.map(({ id, ...times }) => [id, times]))
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
  if (isOtherDay && /BY|DAILY/.test(recurrence)) failField('startDate', 'moves to another day: change how it repeats instead')
  const later = sql`"companyId" = ${company} and "seriesId" = ${seriesId} and (${scope === 'all'} or "occurrenceDate" >= ${from})`
  const moved = sql`(("occurrenceDate" at time zone ${timeZone}) + make_interval(secs => ${seconds}::float8)) at time zone ${timeZone}`
  const meets = await ctx.sql.maybe(
    sql`select 1 as one from activity where "companyId" = ${company} and "seriesId" = ${seriesId} and not (${later}) and "occurrenceDate" in (select ${moved} from activity where ${later}) limit 1`,
  )
  if (meets) failField('startDate', 'meets another occurrence of the series')
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
      "minutes" = coalesce(${minutes}::int, s."minutes"), "agents" = coalesce(${links.assignedUsers ?? null}::uuid[], s."agents"),
      "leads" = coalesce(${links.leads ?? null}::uuid[], s."leads"), "clients" = coalesce(${links.clients ?? null}::uuid[], s."clients")
    from activity v, activity_series o, json_populate_record(o, ${text}::json) n
    where v."companyId" = ${ctx.company.id} and v."id" = ${id} and s."companyId" = v."companyId" and s."id" = v."seriesId" and o."companyId" = s."companyId" and o."id" = s."id"`)
}

import { identifier, sql } from '@outpost/platform/db/sql'
import { announce } from '../../../kernel/realtime/announce.ts'
import { recordChange, type Stream } from '../../../kernel/sync/stream.ts'
import type { Ctx } from '../../../kernel/types.ts'

interface Belonging {
  table: string
  /** Column that names the lead. */
  column: string
  /** Rows of other owners are distinguished by this column, which says `lead`. */
  typeColumn?: string
  /** Kind of record that devices hold. */
  one?: string
  /** Filed under the tenant of its lead, so that it is read as far as the lead is. */
  isFiledWithLead?: boolean
}

/**
 * Rows that belong to a lead and go with it, beside its links to activities and its addresses. Status log, assignments,
 * consents and assessments stay as they were made and are read through lead.family.ts.
 */
const belongings = {
  drafts: { table: 'onboarding_draft', column: 'leadId' },
  clients: { table: 'client', column: 'leadId', one: 'client' },
  cases: { table: 'sales_case', column: 'leadId', one: 'case' },
  applications: { table: 'loan_application', column: 'leadId' },
  files: { table: 'stored_file', column: 'ownerId', typeColumn: 'ownerType' },
  recordFiles: { table: 'record_file', column: 'objectId', typeColumn: 'objectType', isFiledWithLead: true },
} as const satisfies Record<string, Belonging>
type BelongingKey = keyof typeof belongings
const belongingKeys = Object.keys(belongings) as BelongingKey[]

/** What went from one lead to the other in a merge, with where it was filed. Merges of older versions name fewer kinds. */
export interface Moved extends Partial<Record<BelongingKey, string[]>> {
  /** `isShared`: the winner was linked already, only the loser's link went. */
  activities: { id: string; tenantId: string; isShared: boolean }[]
  addresses: { id: string; tenantId: string }[]
}

interface Moving {
  from: string
  to: string
  tenantId: string
}

/** Moves what belongs to one lead to another and says what that was. */
export async function moveBelongings(ctx: Ctx, stream: Stream, { from, to, tenantId }: Moving): Promise<Moved> {
  const company = ctx.company.id
  const activities = await ctx.sql.query<Moved['activities'][number]>(sql`
    select x."activityId" as id, x."tenantId", exists (select from activity_lead w where w."companyId" = x."companyId" and w."activityId" = x."activityId" and w."leadId" = ${to}) as "isShared"
    from activity_lead x where x."companyId" = ${company} and x."leadId" = ${from} order by 1`)
  await ctx.sql.exec(sql`
    insert into activity_lead ("companyId", "activityId", "leadId", "tenantId")
    select "companyId", "activityId", ${to}::uuid, "tenantId" from activity_lead where "companyId" = ${company} and "leadId" = ${from} on conflict do nothing`)
  await ctx.sql.exec(sql`delete from activity_lead where "companyId" = ${company} and "leadId" = ${from}`)
  const addresses = await ctx.sql.query<Moved['addresses'][number]>(
    sql`select "id", "tenantId" from lead_address where "companyId" = ${company} and "leadId" = ${from} order by 1`,
  )
  await ctx.sql.exec(
    sql`update lead_address set "leadId" = ${to}, "tenantId" = ${tenantId} where "companyId" = ${company} and "leadId" = ${from}`,
  )
  const moved: Moved = { activities, addresses }
  for (const key of belongingKeys) moved[key] = await repoint(ctx, stream, belongings[key], { from, to })
  await touch(
    ctx,
    stream,
    activityRows,
    activities.map(({ id }) => id),
  )
  return moved
}

/** Gives back what a merge had moved, as far as it is still where it went. */
export async function giveBack(ctx: Ctx, stream: Stream, { from, to, moved }: { from: string; to: string; moved: Moved }): Promise<void> {
  const company = ctx.company.id
  const links = JSON.stringify(moved.activities)
  await ctx.sql.exec(sql`
    insert into activity_lead ("companyId", "activityId", "leadId", "tenantId")
    select a."companyId", a."id", ${to}::uuid, r."tenantId" from json_to_recordset(${links}::json) as r(id uuid, "tenantId" uuid)
    join activity a on a."companyId" = ${company} and a."id" = r.id on conflict do nothing`)
  const own = moved.activities.filter(({ isShared }) => !isShared).map(({ id }) => id)
  await ctx.sql.exec(
    sql`delete from activity_lead where "companyId" = ${company} and "leadId" = ${from} and "activityId" = any(${own}::uuid[])`,
  )
  await ctx.sql.exec(sql`
    update lead_address t set "leadId" = ${to}, "tenantId" = r."tenantId" from json_to_recordset(${JSON.stringify(moved.addresses)}::json) as r(id uuid, "tenantId" uuid)
    where t."companyId" = ${company} and t."id" = r.id and t."leadId" = ${from}`)
  for (const key of belongingKeys) await repoint(ctx, stream, belongings[key], { from, to, only: moved[key] ?? [] })
  await touch(
    ctx,
    stream,
    activityRows,
    moved.activities.map(({ id }) => id),
  )
}

/** Points rows of one lead to another one, all or only those named; gives their ids. */
async function repoint(
  ctx: Ctx,
  stream: Stream,
  { table, column, typeColumn, one, isFiledWithLead }: Belonging,
  { from, to, only }: { from: string; to: string; only?: readonly string[] },
): Promise<string[]> {
  const owner = identifier(column)
  const filed = isFiledWithLead
    ? sql`, "tenantId" = (select l."tenantId" from lead l where l."companyId" = ${ctx.company.id} and l."id" = ${to}::uuid)`
    : sql``
  const isLead = typeColumn ? sql`and ${identifier(typeColumn)} = 'lead'` : sql``
  const named = only ? sql`and "id" = any(${only}::uuid[])` : sql``
  const rows = await ctx.sql.query<{ id: string }>(sql`
    update ${identifier(table)} set ${owner} = ${to}::uuid ${filed} where "companyId" = ${ctx.company.id} and ${owner} = ${from}::uuid ${isLead} ${named} returning "id"`)
  const ids = rows.map(({ id }) => id)
  if (one) await touch(ctx, stream, { one, table }, ids)
  return ids
}

const activityRows = { one: 'activity', table: 'activity' }

/** These records show their lead: devices and screens that hold them must hear that it changed. */
async function touch(ctx: Ctx, stream: Stream, { one, table }: { one: string; table: string }, ids: readonly string[]): Promise<void> {
  const rows = await ctx.sql.query<{ id: string; tenantId: string }>(sql`
    select "id", "tenantId" from ${identifier(table)} where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[]) and "deletedAt" is null order by 1 for update`)
  for (const { id, tenantId } of rows) {
    const seq = stream.next()
    await ctx.sql.exec(
      sql`update ${identifier(table)} set "version" = "version" + 1, "syncSeq" = ${seq}, "dateModified" = now() where "companyId" = ${ctx.company.id} and "id" = ${id}`,
    )
    recordChange(stream, seq, { entityType: one, entityId: id, tenantId, changeType: 'UPDATE' })
    announce(ctx, { one }, [id], 'updated', [tenantId])
  }
}

import { fail } from '@outpost/contract/errors'
import { every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { listQuery, visibleRows } from '../../kernel/resource/read/query.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema, type ListInput } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'
import { activityNotFound } from './activity.errors.ts'

/** Name or id of a status or type; ALL, ANY and nothing mean every one. */
export const narrowing = { status: z.string().max(60).optional(), type: z.string().max(60).optional() }
export interface Narrowing {
  status?: string | undefined
  type?: string | undefined
}
const isWanted = (value: string | undefined): value is string =>
  value !== undefined && value !== '' && !['ALL', 'ANY', '%%'].includes(value.toUpperCase())

/** Null when neither narrows, so that the plain list keeps its prepared statement. */
export function byStatusAndType(_: Ctx, { status, type }: Narrowing): Statement | null {
  const conditions = [
    ...(isWanted(status) ? [sql`(upper(t."status") = upper(${status}) or t."statusId"::text = lower(${status}))`] : []),
    ...(isWanted(type)
      ? [
          sql`exists (select 1 from activity_type y where y."companyId" = t."companyId" and y."id" = t."activityTypeId" and (y."id"::text = lower(${type}) or upper(y."name") = upper(${type})))`,
        ]
      : []),
  ]
  return conditions.length === 0 ? null : every(conditions)
}

const isAgent = (userId: string) =>
  sql`exists (select 1 from activity_assignment a where a."companyId" = t."companyId" and a."activityId" = t."id" and a."userId" = ${userId})`

/** The caller's own work. */
export const mine = (ctx: Ctx, input: Narrowing) => every([isAgent(ctx.user.id), byStatusAndType(ctx, input) ?? sql`true`])
/** The work of one agent. */
export const ofAgent = (ctx: Ctx, { id, ...input }: Narrowing & { id: string }) =>
  every([isAgent(id), byStatusAndType(ctx, input) ?? sql`true`])

/** Of the agent report: status by name, id or meaning. */
export function byAgentStatus(_: Ctx, { status }: Narrowing): Statement | null {
  if (!isWanted(status)) return null
  return sql`exists (select 1 from activity v join activity_status s on s."companyId" = v."companyId" and s."id" = coalesce(t."statusId", v."statusId")
    where v."companyId" = t."companyId" and v."id" = t."activityId" and (upper(s."name") = upper(${status}) or s."meaning" = lower(${status}) or s."id"::text = lower(${status})))`
}

type Widget = ListInput & Narrowing

const share = {
  Id: identifierSchema.nullable(),
  name: z.string(),
  label: z.string(),
  colour: z.string().nullable(),
  count: z.int(),
  place: z.int().nullable(),
}
const sharesOf = (row: z.ZodType) => z.strictObject({ activities: z.array(row), total: z.int() })
export const statusWidgetAnswer = sharesOf(z.strictObject({ ...share, meaning: z.string() }))
export const typeWidgetAnswer = sharesOf(z.strictObject(share))

/** Activities of a period by status: data.activities of {Id, name, label, colour, meaning, count}, in the order of the statuses, and data.total. */
export const forStatusWidget = (ctx: Ctx, input: Widget) =>
  counted(
    ctx,
    input,
    sql`
  select s."id" as "Id", coalesce(s."name", t."status") as name, coalesce(s."name", t."status") as label, s."colour", coalesce(s."meaning", 'open') as meaning, count(*)::int as count, min(s."position") as place`,
    sql`left join activity_status s on s."companyId" = t."companyId" and s."id" = t."statusId"`,
    sql`group by 1, 2, 3, 4, 5`,
  )

/** The same by type. */
export const forTypeWidget = (ctx: Ctx, input: Widget) =>
  counted(
    ctx,
    input,
    sql`
  select s."id" as "Id", coalesce(s."name", 'No type') as name, coalesce(s."name", 'No type') as label, s."colour", count(*)::int as count, min(s."position") as place`,
    sql`left join activity_type s on s."companyId" = t."companyId" and s."id" = t."activityTypeId"`,
    sql`group by 1, 2, 3, 4`,
  )

async function counted(ctx: Ctx, input: Widget, ...[columns, joins, group]: [Statement, Statement, Statement]): Promise<Answer> {
  const { where } = listQuery(ctx, activity, input, { options: { dateType: 'start', where: byStatusAndType } })
  return {
    json: await ctx.sql.text(sql`
    with rows as (${columns} from (select * from activity t where ${where}) t ${joins} ${group})
    select json_build_object('success', true, 'data', json_build_object(
      'activities', coalesce((select json_agg(r order by r.place nulls last, r.count desc, r.name) from rows r), '[]'), 'total', coalesce((select sum(count) from rows), 0)))::text`),
  }
}

export const idsInput = z.strictObject({
  ids: z
    .string()
    .max(20_000)
    .transform((text) => [
      ...new Set(
        text
          .split(',')
          .map((id) => id.trim().toLowerCase())
          .filter((id) => id !== ''),
      ),
    ])
    .pipe(z.array(idSchema).min(1, 'names no activity').max(500)),
})

/** The activities of a comma-separated list: all, or ACTIVITY_NOT_FOUND when one of them is out of sight. */
export async function activitiesByIds(ctx: Ctx, { ids }: z.infer<typeof idsInput>): Promise<Answer> {
  const { seen } = await ctx.sql.one<{ seen: number }>(
    sql`select count(*)::int as seen from activity t where ${visibleRows(ctx, activity)} and t."id" = any(${ids}::uuid[])`,
  )
  if (seen < ids.length) fail(activityNotFound)
  return listRecords(ctx, activity, { page: 1, size: 500 }, { where: () => sql`t."id" = any(${ids}::uuid[])` })
}

/** Who has an activity to do, and how far each is: data.agents. */
export async function agentsOfActivity(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, activity, id)
  return { data: { agents: record['assignedUsers'] } }
}

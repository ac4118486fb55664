import { sql } from '@outpost/platform/db/sql'
import { progressOf } from '@outpost/rules/targets/target-period'
import { z } from 'zod'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, AnyResource, Ctx } from '../../kernel/types.ts'
import { nameOf, userName } from '../../kernel/names.ts'
import { labelsOf, type Counted } from './counted.ts'
import { calendarsOf, measured } from './figures.ts'
import { hitsOf, wholeCompany } from './hits.ts'

export const recordsInput = z.strictObject({
  id: idSchema,
  userId: idSchema.optional(),
  day: daySchema.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(1_000).default(100),
})

interface Hit {
  at: string
  amount: number
  entity: string
  entityId: string
  userId: string
  who: string | null
  tenantId: string
}

/**
 * The records behind a target's number, newest first, from the very statement that makes the number: their amounts add
 * up to it. Records that the caller may not see are counted and named by nothing.
 */
export async function explainTarget(
  ctx: Ctx,
  { target, counted }: { target: AnyResource; counted: Counted },
  { id, userId, day, page, size }: z.infer<typeof recordsInput>,
): Promise<Answer> {
  const found = measured(await getRecord(ctx, target, id))
  const whole = await wholeCompany(ctx)
  const chosen = sql`(${userId ?? null}::uuid is null or h."userId" = ${userId ?? null}::uuid)
    and (${day ?? null}::date is null or (h.at at time zone ${ctx.company.timeZone})::date = ${day ?? null}::date)`
  const { rows, total, sum, people } = await whole.sql.one<{
    rows: Hit[]
    total: number
    sum: number
    people: { userId: string; name: string; actual: number }[]
  }>(sql`
    with ${hitsOf(whole, [found])}, c as (select h.* from hits h where ${chosen})
    select (select coalesce(json_agg(r), '[]') from (select c.at, c.amount::float8 as amount, c.entity, c."entityId", c."userId", c."tenantId",
          ${userName(sql`${ctx.company.id}::uuid`, sql`c."userId"`)} as who
        from c order by c.at desc, c."entityId", c."userId" limit ${size} offset ${(page - 1) * size}) r) as rows,
      (select count(*)::int from c) as total, (select coalesce(sum(amount), 0)::float8 from c) as sum,
      (select coalesce(json_agg(p order by p.actual desc, p.name), '[]') from (select h."userId", (select ${nameOf('u')} from app_user u
          where u."companyId" = ${ctx.company.id}::uuid and u."id" = h."userId") as name, sum(h.amount)::float8 as actual from hits h group by 1) p) as people`)
  const labels = await labelsOf(ctx, counted, rows)
  const records = rows.map((hit) => shown(hit, labels.get(`${hit.entity} ${hit.entityId}`)))
  return { data: { records, sum, people }, meta: { page, size, total } }
}

/** What the caller may not open has neither name nor address. */
function shown({ at, amount, entity, entityId, userId, who }: Hit, label: string | undefined) {
  return label === undefined ? { at, amount, entity, label: null } : { at, amount, entity, entityId, userId, who, label }
}

/** The way to the target, a point a day: what was there by its end (null for days to come) and what should have been. */
export async function targetProgress(ctx: Ctx, target: AnyResource, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, target, id)
  const found = measured(record)
  const whole = await wholeCompany(ctx)
  const [rows, calendarFor] = await Promise.all([
    whole.sql.query<{ day: string; amount: number }>(sql`
    with ${hitsOf(whole, [found])}, d as (select (at at time zone ${ctx.company.timeZone})::date as day, sum(amount) as amount from hits group by 1)
    select to_char(g, 'YYYY-MM-DD') as day, coalesce(d.amount, 0)::float8 as amount
    from generate_series(${found.startDate}::timestamp, ${found.endDate}::timestamp, '1 day') g left join d on d.day = g::date order by g`),
    calendarsOf(ctx, [record]),
  ])
  const value = Number(record['value'])
  return { data: { points: progressOf(rows, { value, today: companyDay(ctx), calendar: calendarFor(record) }), value } }
}

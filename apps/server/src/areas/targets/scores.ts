import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { daySchema } from '../../kernel/days.ts'
import { tenantInReach, userInReach } from '../../kernel/session/reach.ts'
import { eventSources, metricNamed, type Metric } from '../../kernel/metrics.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { wholeCompany } from './hits.ts'

const day = daySchema
export const scoresInput = (known: ReadonlyMap<string, Metric>) =>
  z
    .strictObject({
      from: day,
      to: day,
      by: z.enum(['user', 'team', 'tenant']).default('user'),
      metrics: z
        .string()
        .max(1_000)
        .optional()
        .transform((text) => text?.split(',').filter(Boolean) ?? [...known.keys()])
        .pipe(z.array(z.string().refine((key) => known.has(key), 'is not a metric')).min(1)),
    })
    .refine(({ from, to }) => from <= to, { path: ['to'], error: 'lies before the start' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= 366 * 86_400_000, {
      path: ['to'],
      error: 'lies more than a year after the start',
    })
type ScoresInput = z.output<ReturnType<typeof scoresInput>>

/**
 * What everybody in the caller's reach did in a period, metric by metric, whether or not there is a target: by person, team
 * (membership at the moment of each event) or tenant with all below it. Those who did nothing are there with nothing.
 */
export async function scores(ctx: Ctx, { from, to, by, metrics }: ScoresInput): Promise<Answer> {
  const whole = await wholeCompany(ctx)
  // Metrics that read the same tables are one statement; the statements run side by side.
  const groups = [...Map.groupBy(new Set(metrics), (metric) => metricNamed(ctx, metric).reads).values()]
  const [owners, ...sums] = await Promise.all([
    ctx.sql.query<{ Id: string; name: string }>(ownersOf(ctx, by)),
    ...groups.map((group) => whole.sql.query<Sum>(sumsOf(ctx, { from, to, by, metrics: group }))),
  ])
  const values = new Map<string, Record<string, number>>(owners.map(({ Id }) => [Id, {}]))
  for (const { ownerId, metric, amount } of sums.flat()) Object.assign(values.get(ownerId) ?? {}, { [metric]: amount })
  return { data: { scores: owners.map((owner) => ({ ...owner, values: values.get(owner.Id) ?? {} })), metrics, by } }
}

interface Sum extends Record<string, unknown> {
  ownerId: string
  metric: string
  amount: number
}

/** A row for each owner and metric. Each metric's events are summed by themselves, so that they are never put together. */
function sumsOf(ctx: Ctx, { from, to, by, metrics }: ScoresInput): Statement {
  const { shared, parts } = eventSources(
    ctx,
    metrics.map((metric) => ({ metric, startDate: from, endDate: to })),
  )
  const sums = parts.map(
    ({ metric, events }) =>
      sql`select v."ownerId", ${metric}::text as "metric", v.amount from (${summed(ctx.company.id, by, events)}) v("ownerId", amount) where v."ownerId" is not null`,
  )
  return shared.length === 0 ? join(sums, ' union all ') : sql`with ${join(shared)} ${join(sums, ' union all ')}`
}

/** The events' sums by owner: "ownerId", amount. */
function summed(companyId: string, by: 'user' | 'team' | 'tenant', events: Statement): Statement {
  const e = sql`(${events}) as e("userId", "tenantId", at, amount, product, entity, "entityId")`
  const byUser = sql`select e."userId", sum(e.amount)::float8 from ${e} group by 1`
  const byTeam = sql`select m."teamId", sum(e.amount)::float8 from ${e} join team_member m on m."companyId" = ${companyId}::uuid and m."userId" = e."userId"
    and e.at >= m."fromDate" and (m."toDate" is null or e.at < m."toDate") group by 1`
  const byTenant = sql`select p.id, sum(g.amount)::float8 from (select e."tenantId", sum(e.amount) as amount from ${e} group by 1) g
    join tenant n on n."companyId" = ${companyId}::uuid and n."id" = g."tenantId" cross join lateral unnest(n."path") p(id) group by 1`
  return { user: byUser, team: byTeam, tenant: byTenant }[by]
}

function ownersOf(ctx: Ctx, by: 'user' | 'team' | 'tenant'): Statement {
  const company = ctx.company.id
  const inScope = (tenant: Statement) => tenantInReach(ctx, tenant)
  const users = sql`select u."id" as "Id", ${nameOf('u')} as name from app_user u
    where u."companyId" = ${company}::uuid and u."deletedAt" is null and u."status" = 1 and ${userInReach(ctx, 'u')} order by name, 1`
  const teams = sql`select m."id" as "Id", m."name" from team m where m."companyId" = ${company}::uuid and m."deletedAt" is null and ${inScope(sql`m."tenantId"`)} order by m."name", 1`
  const tenants = sql`select b."id" as "Id", b."name" from tenant b where b."companyId" = ${company}::uuid and b."deletedAt" is null and ${inScope(sql`b."id"`)} order by cardinality(b."path"), b."name"`
  return { user: users, team: teams, tenant: tenants }[by]
}

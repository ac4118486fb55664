import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { daySchema } from '../../kernel/resource/days.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { eventTables, wholeCompany } from './hits.ts'
import { allMetrics, isMetric } from './metrics.ts'

const day = daySchema
export const scoresInput = z
  .strictObject({
    from: day,
    to: day,
    by: z.enum(['user', 'team', 'tenant']).default('user'),
    metrics: z
      .string()
      .max(1_000)
      .optional()
      .transform((text) => text?.split(',').filter(Boolean) ?? allMetrics().map(({ name }) => name))
      .pipe(z.array(z.string().refine((key) => isMetric(key), 'is not a metric')).min(1)),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'lies before the start' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= 366 * 86_400_000, {
    path: ['to'],
    error: 'lies more than a year after the start',
  })

/**
 * What everybody in the caller's reach did in a period, metric by metric, whether or not there is a target: by person, team
 * (membership at the moment of each event) or tenant with all below it. Those who did nothing are there with nothing.
 */
export async function scores(ctx: Ctx, { from, to, by, metrics }: z.infer<typeof scoresInput>): Promise<Answer> {
  const whole = await wholeCompany(ctx)
  const events = eventTables(
    whole,
    metrics.map((metric) => ({ metric, startDate: from, endDate: to })),
    'once',
  )
  const [{ rows }, owners] = await Promise.all([
    whole.sql.one<{ rows: Record<string, Record<string, number>> | null }>(sql`
      with ${events}, s as materialized (${sums(ctx, by)})
      select json_object_agg(o."ownerId", o.values) as rows from (select "ownerId", json_object_agg("metric", amount) as values from s where "ownerId" is not null group by 1) o`),
    ctx.sql.query<{ Id: string; name: string }>(ownersOf(ctx, by)),
  ])
  return { data: { scores: owners.map((owner) => ({ ...owner, values: rows?.[owner.Id] ?? {} })), metrics, by } }
}

function sums({ company }: Ctx, by: 'user' | 'team' | 'tenant'): Statement {
  const byUser = sql`select "userId" as "ownerId", "metric", sum(amount)::float8 as amount from e group by 1, 2`
  const byTeam = sql`select m."teamId" as "ownerId", e."metric", sum(e.amount)::float8 as amount from e join team_member m on m."companyId" = ${company.id}::uuid and m."userId" = e."userId"
    and e.at >= m."fromDate" and (m."toDate" is null or e.at < m."toDate") group by 1, 2`
  const byTenant = sql`select p.id as "ownerId", g."metric", sum(g.amount)::float8 as amount from (select "tenantId", "metric", sum(amount) as amount from e group by 1, 2) g
    join tenant n on n."companyId" = ${company.id}::uuid and n."id" = g."tenantId" cross join lateral unnest(n."path") p(id) group by 1, 2`
  return { user: byUser, team: byTeam, tenant: byTenant }[by]
}

function ownersOf(ctx: Ctx, by: 'user' | 'team' | 'tenant'): Statement {
  const company = ctx.company.id
  const inScope = (tenant: Statement) => (ctx.scope === '*' ? sql`true` : sql`${tenant} = any(${ctx.scope}::uuid[])`)
  const users = sql`select u."id" as "Id", ${nameOf('u')} as name from app_user u
    where u."companyId" = ${company}::uuid and u."deletedAt" is null and u."status" = 1 and ${userInReach(ctx, 'u') ?? sql`true`} order by name, 1`
  const teams = sql`select m."id" as "Id", m."name" from team m where m."companyId" = ${company}::uuid and m."deletedAt" is null and ${inScope(sql`m."tenantId"`)} order by m."name", 1`
  const tenants = sql`select b."id" as "Id", b."name" from tenant b where b."companyId" = ${company}::uuid and b."deletedAt" is null and ${inScope(sql`b."id"`)} order by cardinality(b."path"), b."name"`
  return { user: users, team: teams, tenant: tenants }[by]
}

import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { eventSources, type MetricDays } from '../../kernel/metrics.ts'
import { makeJobCtx } from '../../kernel/session/jobs.ts'
import { session } from '../../kernel/session/services.ts'
import type { Ctx } from '../../kernel/types.ts'

/** A target as far as figures need it. */
export interface Measured extends MetricDays {
  Id: string
  ownerType: 'user' | 'team' | 'tenant'
  ownerUserId: string | null
  ownerTeamId: string | null
  ownerTenantId: string | null
  product: string | null
}

/**
 * The ctx figures are read with: the whole company. An officer who was in two branches, or a team over two of them,
 * has one number, whoever looks at it; what the records behind it are called is asked with the caller's own reach.
 */
export async function wholeCompany(ctx: Ctx): Promise<Ctx> {
  return ctx.scope === '*' ? ctx : makeJobCtx(session(), { companyId: ctx.company.id, userId: null, requestId: ctx.requestId })
}

/**
 * Common tables of a statement over targets: `tr` the targets with their moments, `e` the events of their metrics,
 * `hits` one row (target, event) for each event that counts for a target. A person's events count for the person; a team's are
 * those of people who were members at that moment; a tenant's are those filed in it or below. No event is twice in a target.
 */
export function hitsOf(ctx: Ctx, targets: readonly Measured[]): Statement {
  const { id: companyId, timeZone } = ctx.company
  return sql`
    tr as materialized (
      select r.*, (r."startDate"::timestamp at time zone ${timeZone}) as "from", ((r."endDate" + 1)::timestamp at time zone ${timeZone}) as "to"
      from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as r("Id" uuid, "metric" text, "ownerType" text, "ownerUserId" uuid, "ownerTeamId" uuid,
        "ownerTenantId" uuid, "startDate" date, "endDate" date, "product" text)),
    ${eventTables(ctx, targets)},
    hits as (${join(
      [...new Set(targets.map(({ ownerType }) => ownerType))].map((kind) => hitsOfOwners(companyId, kind)),
      ' union all ',
    )})`
}

/** The events of one kind of owner; the kinds that no target has cost nothing. */
function hitsOfOwners(companyId: string, kind: Measured['ownerType']): Statement {
  const counts = sql`t."ownerType" = ${kind} and e.at >= t."from" and e.at < t."to" and (t."product" is null or t."product" = e."product")`
  return {
    user: sql`select t."Id" as "targetId", e.* from tr t join e on e."metric" = t."metric" and e."userId" = t."ownerUserId" where ${counts}`,
    team: sql`select t."Id" as "targetId", e.* from e join team_member m on m."companyId" = ${companyId}::uuid and m."userId" = e."userId" and e.at >= m."fromDate" and (m."toDate" is null or e.at < m."toDate")
      join tr t on t."ownerTeamId" = m."teamId" and t."metric" = e."metric" where ${counts}`,
    tenant: sql`select t."Id" as "targetId", e.* from e join (select n."id", p.id as above from tenant n cross join lateral unnest(n."path") p(id) where n."companyId" = ${companyId}::uuid) n on n."id" = e."tenantId"
      join tr t on t."ownerTenantId" = n.above and t."metric" = e."metric" where ${counts}`,
  }[kind]
}

/** The common table `e` (with what its parts read): the events of each metric over the time that all its targets span together. */
function eventTables(ctx: Ctx, targets: readonly MetricDays[]): Statement {
  const { shared, parts } = eventSources(ctx, targets)
  const all = parts.map(
    ({ metric, events }) =>
      sql`select ${metric}::text as "metric", s.* from (${events}) as s("userId", "tenantId", at, amount, product, entity, "entityId")`,
  )
  return join([...shared, sql`e as materialized (${join(all, ' union all ')})`])
}

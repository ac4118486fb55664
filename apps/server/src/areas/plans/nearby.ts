import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { leadStatuses } from '@outpost/rules/leads/lead-status'
import { boxAround } from '@outpost/rules/places/box'
import { pointOf } from '@outpost/rules/routes/route-build'
import type { Point } from '@outpost/rules/places/distance'
import { metresToPath } from '@outpost/rules/routes/route-track'
import { z } from 'zod'
import { tenantInReach } from '../../kernel/session/reach.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { routesOf } from './plan.facts.ts'
import { settingsInput, stopInput } from './plan.input.ts'

/** The stops of one agent's day as they are in the editor, and how far off the way somebody may live. */
export const nearbyInput = z.strictObject({
  ...settingsInput.shape,
  stops: z.array(stopInput).min(1).max(200),
  metres: z.number().min(100).max(20_000).default(1_500),
})

const maxShown = 50
/** Nobody is due sooner after the last word. */
const restDays = 2
const openStatuses = Object.entries(leadStatuses).flatMap(([name, { type }]) => (type === 'Open' || type === 'Ongoing' ? [name] : []))

/**
 * Leads and clients near the way of a day whom nobody is about to visit: open leads that have waited two days in their
 * status, active clients without an activity ahead or a visit in the last thirty days. Nearest to the way first; nothing is written.
 */
export async function nearRoute(ctx: Ctx, { stops, metres, ...settings }: z.infer<typeof nearbyInput>): Promise<Answer> {
  const { routes } = await routesOf(ctx, stops)
  const placed = routes.flatMap((route) => route.stops.map(({ activity: { lat, lng } }) => pointOf(lat, lng)))
  const way = [pointOf(settings.startLat, settings.startLng), ...placed].filter((point) => point !== null)
  const sources = [...(holdsAny(ctx, 'SALES/LEADS') ? [dueLeads(ctx)] : []), ...(holdsAny(ctx, 'CLIENTS') ? [dueClients(ctx)] : [])]
  if (way.length === 0 || sources.length === 0) return { data: { nearby: [] } }
  const [west, south, east, north] = boxAround(way, metres)
  const rows = await ctx.sql.query<Point & Record<string, unknown>>(sql`
    select * from (${join(sources, ' union all ')}) n where n.latitude between ${south} and ${north} and n.longitude between ${west} and ${east} limit 5000`)
  const near = rows.map((row) => ({ ...row, metres: Math.round(metresToPath(row, way)) })).filter((row) => row.metres <= metres)
  return { data: { nearby: near.toSorted((a, b) => a.metres - b.metres).slice(0, maxShown) } }
}

function dueLeads(ctx: Ctx): Statement {
  return sql`
    select l."id" as "Id", 'lead' as kind, ${nameOf('l')} as name, l."phonenumber", l."status", coalesce(l."location", l."city") as location,
      l."latitude"::float8 as latitude, l."longitude"::float8 as longitude, l."statusSince" as since
    from lead l where l."companyId" = ${ctx.company.id} and l."deletedAt" is null and ${tenantInReach(ctx, sql`l."tenantId"`)} and l."latitude" is not null and l."longitude" is not null
      and l."status" = any(${openStatuses}::text[]) and l."statusSince" < now() - make_interval(days => ${restDays}::int) and not exists (
        select 1 from activity_lead x ${ahead(sql`x`)} where x."companyId" = l."companyId" and x."leadId" = l."id")`
}

function dueClients(ctx: Ctx): Statement {
  return sql`
    select c."id", 'client', ${nameOf('c')}, c."phonenumber", c."status", coalesce(c."location", c."city"), c."latitude"::float8, c."longitude"::float8, c."dateModified"
    from client c where c."companyId" = ${ctx.company.id} and c."deletedAt" is null and ${tenantInReach(ctx, sql`c."tenantId"`)} and c."latitude" is not null and c."longitude" is not null and c."status" = 'Active'
      and not exists (select 1 from activity_client x ${ahead(sql`x`, 30)} where x."companyId" = c."companyId" and x."clientId" = c."id")`
}

/** An activity that is still ahead, or not longer ago than these days. */
const ahead = (link: Statement, days = 0) =>
  sql`join activity v on v."companyId" = ${link}."companyId" and v."id" = ${link}."activityId" and v."deletedAt" is null and v."endDate" > now() - make_interval(days => ${days}::int)`

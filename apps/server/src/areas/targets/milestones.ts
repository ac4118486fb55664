import { sql } from '@outpost/platform/db/sql'
import { companyDay } from '../../kernel/days.ts'
import { repeatingJob } from '../../kernel/jobs/enqueue.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx } from '../../kernel/types.ts'
import { actualsOf } from './figures.ts'
import { type Measured } from './hits.ts'
import { metricNamed } from '../../kernel/metrics.ts'
import { targetNews } from './target.news.ts'

/** Percent of a target that are notified, once each. */
const milestones = [50, 90, 100] as const
/** A late record may still reach a milestone of a period that ended; so many days it is looked at. */
const daysAfter = 7

interface Watched extends Measured {
  tenantId: string
  value: number
  leaderUserId: string | null
  createdByUserId: string
  told: number[]
}

/** Looks for milestones every quarter of an hour as long as any target runs. */
export const milestoneJob = repeatingJob('targets.milestones', {
  minutes: 15,
  run: async (ctx) => {
    const targets = await running(ctx)
    const actuals = await actualsOf(ctx, targets)
    for (const target of targets) await notifyMilestones(ctx, target, actuals.get(target.Id)?.actual ?? 0)
    return targets.length > 0
  },
})

function running(ctx: Ctx): Promise<Watched[]> {
  const today = companyDay(ctx)
  return ctx.sql.query<Watched>(sql`
    select t."id" as "Id", t."tenantId", t."metric", t."ownerType", t."ownerUserId", t."ownerTeamId", t."ownerTenantId", to_char(t."startDate", 'YYYY-MM-DD') as "startDate",
      to_char(t."endDate", 'YYYY-MM-DD') as "endDate", t."product", t."value"::float8 as value, t."createdByUserId",
      (select m."leaderUserId" from team m where m."companyId" = t."companyId" and m."id" = t."ownerTeamId") as "leaderUserId",
      array(select s."percent"::int from target_milestone s where s."companyId" = t."companyId" and s."targetId" = t."id") as told
    from target t where t."companyId" = ${ctx.company.id}::uuid and t."deletedAt" is null and t."startDate" <= ${today}::date and t."endDate" >= ${today}::date - ${daysAfter}::int`)
}

/** Notifies the highest milestone newly reached, and keeps those below it from being notified later. Fewer missed visits are no feat. */
async function notifyMilestones(ctx: Ctx, target: Watched, actual: number): Promise<void> {
  const metric = metricNamed(ctx, target.metric)
  if (target.value <= 0 || metric.isBurden) return
  const reached = milestones.filter((percent) => actual * 100 >= target.value * percent && !target.told.includes(percent))
  const highest = reached.at(-1)
  if (highest === undefined) return
  await ctx.sql.exec(sql`
    insert into target_milestone ("companyId", "targetId", "percent", "tenantId")
    select ${ctx.company.id}::uuid, ${target.Id}::uuid, p, ${target.tenantId}::uuid from unnest(${reached}::int[]) p on conflict do nothing`)
  const owner = target.ownerUserId ?? target.leaderUserId ?? target.createdByUserId
  const words = highest === 100 ? 'reached' : `${highest} % reached`
  for (const userId of new Set([owner, ...(highest === 100 ? [target.createdByUserId] : [])])) {
    await notify(ctx, {
      userId,
      itemType: 'Message',
      kind: targetNews,
      itemId: target.Id,
      message: `Target ${words}: ${metric.label}`,
      link: `/sales/targets?open=${target.Id}`,
    })
  }
}

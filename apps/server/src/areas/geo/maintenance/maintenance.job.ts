import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import type { Ctx, JobDefinition } from '../../../kernel/types.ts'
import { fleetNews } from '../fleet.news.ts'
import { maintenanceOf } from './maintenance.due.ts'

const jobName = 'geo.maintenance'
const hour = 3_600_000

/** Looks once a day, as whoever is responsible for plans, what of theirs is due, and tells them once; ends with their last plan. */
export const maintenanceJob = (client: GeoClient): JobDefinition<{ responsibleUserId: string }> => ({
  name: jobName,
  run: async (ctx, { responsibleUserId }) => {
    const { plans } = await ctx.sql.one<{ plans: number }>(sql`
      select count(*)::int as plans from maintenance_plan where "companyId" = ${ctx.company.id}::uuid and "responsibleUserId" = ${responsibleUserId}::uuid and "deletedAt" is null and "isActive"`)
    if (plans === 0) return
    await planDaily(ctx, responsibleUserId)
    for (const { state, planId, assetId, plan, registration, entries, kmLeft, hoursLeft, daysLeft } of await maintenanceOf(client, ctx, {
      responsibleUserId,
    })) {
      if (state === 'later') continue
      const isNew = await ctx.sql.maybe(sql`
        insert into maintenance_reminder ("companyId", "planId", "assetId", "cycle") values (${ctx.company.id}::uuid, ${planId}::uuid, ${assetId}::uuid, ${entries}::int) on conflict do nothing returning 1`)
      if (!isNew) continue
      const left = [
        kmLeft !== null && `${kmLeft} km`,
        hoursLeft !== null && `${hoursLeft} engine hours`,
        daysLeft !== null && `${daysLeft} days`,
      ]
        .filter(Boolean)
        .join(', ')
      const message = `${registration}: ${plan} is ${state === 'overdue' ? 'due' : 'due soon'} (left: ${left}).`
      await notify(ctx, {
        userId: responsibleUserId,
        itemType: 'Message',
        itemId: assetId,
        kind: fleetNews,
        message,
        link: `/tracking/assets/${assetId}/view`,
      })
    }
  },
})

/** One look a day is enough, however many were asked for. */
async function planDaily(ctx: Ctx, responsibleUserId: string): Promise<void> {
  const planned = await ctx.sql.maybe(sql`
    select 1 from outbox where "companyId" = ${ctx.company.id}::uuid and "type" = ${jobName} and "userId" = ${responsibleUserId}::uuid and "status" = 'new'
      and "runAt" > now() + interval '1 hour' limit 1`)
  if (!planned) await planIn(ctx, responsibleUserId, 24 * hour)
}

/** Looks at once, after the caller's change; a look that is planned already may have begun before it. */
export const planReminders = (ctx: Ctx, responsibleUserId: string): Promise<void> => planIn(ctx, responsibleUserId, 0)

async function planIn(ctx: Ctx, userId: string, inMs: number): Promise<void> {
  await enqueue(ctx.sql, {
    companyId: ctx.company.id,
    userId,
    type: jobName,
    payload: { responsibleUserId: userId },
    ...(inMs > 0 ? { runAt: new Date(Date.now() + inMs) } : {}),
  })
}

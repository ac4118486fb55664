import { randomUUIDv7 } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { choiceOf } from '../../kernel/settings/read.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { agentAction } from './action.resource.ts'
import { dayEnd } from './agent.settings.ts'
import { workNews } from './agent.news.ts'

/**
 * Books the end of a day that has just begun, at the hour that counts for its tenant; none where no day is ended. A day
 * begun after that hour ends at the hour of the next day.
 */
export async function scheduleEndOfDay(ctx: Ctx, actionId: string): Promise<void> {
  const hour = await choiceOf(ctx, dayEnd)
  if (hour === 'never') return
  const due = await ctx.sql.one<{ at: Date }>(sql`
    select case when now() < today then today else today + interval '1 day' end as at from (
      select (date_trunc('day', now() at time zone ${ctx.company.timeZone}) + make_interval(hours => ${Number(hour)}::int)) at time zone ${ctx.company.timeZone} as today) d`)
  const payload = { actionId, agentId: ctx.user.id, tenantId: ctx.tenant.id }
  await enqueueJob(ctx, 'agents.endDay', payload, due.at)
}

/** Ends a day that its agent forgot to end: only when nothing followed the start it was booked for. */
export const endDayJob: JobDefinition<{ actionId: string; agentId: string; tenantId: string }> = {
  name: 'agents.endDay',
  run: async (ctx, { actionId, agentId, tenantId }) => {
    const last = await ctx.sql.maybe<{ id: string }>(sql`
      select "id" from agent_action where "companyId" = ${ctx.company.id}::uuid and "performedByUserId" = ${agentId}::uuid and "action" <= 1
      order by "dateCreated" desc limit 1`)
    if (last?.id !== actionId) return
    const id = randomUUIDv7()
    await ctx.sql.exec(sql`
      insert into agent_action ("companyId", "id", "tenantId", "performedByUserId", "action", "source", "isAutomatic")
      values (${ctx.company.id}::uuid, ${id}::uuid, ${tenantId}::uuid, ${agentId}::uuid, 0, 'none', true)`)
    await notify(ctx, {
      userId: agentId,
      itemType: 'Activity',
      kind: workNews,
      message: 'Your day was ended for you. Start it again if you are still at work.',
      link: '/agents/landingpage',
    })
    announce(ctx, agentAction, [id], 'created', [tenantId])
  },
}

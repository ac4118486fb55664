import { randomUUIDv7 } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { choiceOf } from '../../kernel/settings/read.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { agentAction } from './action.resource.ts'
import { happenedAt } from './action.time.ts'
import { dayEnd } from './agent.settings.ts'
import { workNews } from './agent.news.ts'

interface Beginning {
  actionId: string
  /** When the day began; null for now. */
  began: string | null
}

/**
 * Books the end of a day that has begun, at the hour that counts for its tenant; none where no day is ended. A day begun after that hour
 * ends at the hour of the next day. One whose beginning arrives after its end waits an hour for what else its phone sends.
 */
export async function scheduleEndOfDay(ctx: Ctx, { actionId, began }: Beginning): Promise<void> {
  const hour = await choiceOf(ctx, dayEnd)
  if (hour === 'never') return
  const { endsAt, runAt } = await ctx.sql.one<{ endsAt: Date; runAt: Date }>(sql`
    select ends as "endsAt", greatest(ends, case when ends < now() then now() + interval '1 hour' end) as "runAt" from (
      select case when began < hour then hour else hour + interval '1 day' end as ends from (
        select began, (date_trunc('day', began at time zone ${ctx.company.timeZone}) + make_interval(hours => ${Number(hour)}::int)) at time zone ${ctx.company.timeZone} as hour
        from (select least(coalesce(${began}::timestamptz, now()), now()) as began) b) d) e`)
  const payload = { actionId, agentId: ctx.user.id, tenantId: ctx.tenant.id, endsAt: endsAt.toISOString() }
  await enqueueJob(ctx, 'agents.endDay', payload, runAt)
}

/** Ends a day that its agent forgot to end: only when nothing followed the start it was booked for. An earlier version booked it without `endsAt`. */
export const endDayJob: JobDefinition<{ actionId: string; agentId: string; tenantId: string; endsAt?: string }> = {
  name: 'agents.endDay',
  run: async (ctx, { actionId, agentId, tenantId, endsAt = null }) => {
    const id = randomUUIDv7()
    // Where the beginning arrived after the end, what followed on another day says nothing; nor is its agent to begin it again.
    const ended = await ctx.sql.maybe<{ isLate: boolean }>(sql`
      with begun as (
        select ${happenedAt('a')} as at, ${endsAt}::timestamptz < a."dateCreated" as late from agent_action a
        where a."companyId" = ${ctx.company.id}::uuid and a."id" = ${actionId}::uuid)
      insert into agent_action ("companyId", "id", "tenantId", "performedByUserId", "action", "source", "isAutomatic", "deviceTime")
      select ${ctx.company.id}::uuid, ${id}::uuid, ${tenantId}::uuid, ${agentId}::uuid, 0, 'none', true, case when b.late then ${endsAt}::timestamptz end
      from begun b where not exists (
        select from agent_action n where n."companyId" = ${ctx.company.id}::uuid and n."performedByUserId" = ${agentId}::uuid and n."action" <= 1
          and n."id" <> ${actionId}::uuid and ${happenedAt('n')} >= b.at and (b.late is not true or ${happenedAt('n')} <= ${endsAt}::timestamptz))
      returning "deviceTime" is not null as "isLate"`)
    if (!ended) return
    announce(ctx, agentAction, [id], 'created', [tenantId])
    if (ended.isLate) return
    await notify(ctx, {
      userId: agentId,
      itemType: 'Activity',
      kind: workNews,
      message: 'Your day was ended for you. Start it again if you are still at work.',
      link: '/agents/landingpage',
    })
  },
}

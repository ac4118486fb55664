import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../../kernel/jobs/enqueue.ts'
import { updateRecord } from '../../../kernel/resource/records.ts'
import { resourceNamed } from '../../../kernel/resource/define.ts'
import type { Ctx, JobDefinition } from '../../../kernel/types.ts'
import { meetingsAfter } from '@outpost/rules/clients/meetings'
import { calendarOf } from './group.calendar.ts'

const jobName = 'clients.nextMeeting'

/** Books the moment at which the meeting is over and the next one is to be shown. */
export function planRollover(ctx: Ctx, groupId: string, at: Date): void {
  ctx.beforeCommit(async () => {
    await enqueueJob(ctx, jobName, { groupId, at: at.toISOString() }, at)
  })
}

interface Due {
  meetingRule: string | null
  meetingStart: Date | string
}

/** Shows the meeting after one that has begun; a calendar that was changed since has booked its own. */
export const rolloverJob: JobDefinition<{ groupId: string; at: string }> = {
  name: jobName,
  run: async (ctx, { groupId, at }) => {
    const group = await ctx.sql.maybe<Due & Record<string, unknown>>(sql`
      select "meetingRule", "meetingStart" from client_group where "companyId" = ${ctx.company.id}::uuid and "id" = ${groupId}::uuid
        and "deletedAt" is null and "nextMeetingAt" = ${at}::timestamptz`)
    const resource = resourceNamed('clientGroup')
    if (!group || !resource) return
    const calendar = await calendarOf(ctx, groupId, group)
    const [next = null] = calendar ? meetingsAfter(calendar, new Date(Math.max(Date.now(), Date.parse(at))), 1) : []
    await updateRecord(ctx, resource, groupId, { nextMeetingAt: next })
    if (next) planRollover(ctx, groupId, next)
  },
}

import { sql } from '@outpost/platform/db/sql'
import type { MeetingCalendar, MeetingChange } from '@outpost/rules/clients/meetings'
import { dayText } from '../../../kernel/days.ts'
import type { Ctx } from '../../../kernel/types.ts'

/** When a group meets, as its row and its changed meetings say; null where nothing was said. */
export async function calendarOf(
  ctx: Ctx,
  id: string,
  { meetingRule, meetingStart }: { meetingRule?: unknown; meetingStart?: unknown },
): Promise<MeetingCalendar | null> {
  if (!meetingStart) return null
  const changes = await ctx.sql.query<{ meetingOn: string; movedTo: Date | string | null }>(sql`
    select to_char("meetingOn", 'YYYY-MM-DD') as "meetingOn", "movedTo" from client_group_meeting
    where "companyId" = ${ctx.company.id}::uuid and "groupId" = ${id}::uuid`)
  return {
    rule: typeof meetingRule === 'string' ? meetingRule : null,
    start: momentOf(meetingStart),
    timeZone: ctx.company.timeZone,
    changes: changes.map(changeOf),
  }
}

/** A changed meeting, of a row or of a body. */
export const changeOf = ({ meetingOn, movedTo }: { meetingOn: Date | string; movedTo?: Date | string | null }): MeetingChange => ({
  meetingOn: meetingOn instanceof Date ? dayText(meetingOn) : meetingOn.slice(0, 10),
  movedTo: movedTo ? momentOf(movedTo) : null,
})

const momentOf = (value: unknown): Date => (value instanceof Date ? value : new Date(String(value)))

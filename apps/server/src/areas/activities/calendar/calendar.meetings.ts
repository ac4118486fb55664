import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { meetingsBetween } from '@outpost/rules/clients/meetings'

/** A group with its calendar, as the layer reads it. */
interface GroupRow {
  Id: string
  title: string
  note: string | null
  rule: string | null
  start: Date | string
  changes: { meetingOn: string; movedTo: string | null }[]
}
/** A meeting of a group as an entry of the calendar. */
export interface MeetingEntry {
  Id: string
  title: string
  start: string
  end: string
  note: string | null
}

/** Groups that meet; when, is worked out by their rules. */
export const meetingGroups = (): Statement => sql`
  select t."id" as "Id", t."name" as title, t."meetingPlace" as note, t."meetingRule" as rule, t."meetingStart" as start,
    (select coalesce(json_agg(json_build_object('meetingOn', to_char(c."meetingOn", 'YYYY-MM-DD'), 'movedTo', c."movedTo")), '[]'::json)
      from client_group_meeting c where c."companyId" = t."companyId" and c."groupId" = t."id") as changes
  from client_group t where t."status" <> 'Closed' and t."meetingStart" is not null`

/** The meetings of these groups from one moment on and before another. */
export function meetingEntries(
  groups: readonly unknown[],
  { from, to, timeZone }: { from: Date; to: Date; timeZone: string },
): MeetingEntry[] {
  const [after, until] = [new Date(from.getTime() - 1), new Date(to.getTime() - 1)]
  return (groups as GroupRow[])
    .flatMap(({ Id, title, note, rule, start, changes }) => {
      const moved = changes.map(({ meetingOn, movedTo }) => ({ meetingOn, movedTo: movedTo === null ? null : new Date(movedTo) }))
      const times = meetingsBetween({ rule, start: new Date(start), timeZone, changes: moved }, after, until)
      return times.map((time) => ({ Id, title, note, start: time.toISOString(), end: time.toISOString() }))
    })
    .toSorted((one, other) => one.start.localeCompare(other.start) || one.Id.localeCompare(other.Id))
}

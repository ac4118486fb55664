import { fail, type FieldError } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { isMeetingDay, meetingsAfter, type MeetingCalendar } from '@outpost/rules/clients/meetings'
import { settingOf } from '../../../kernel/settings/read.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { calendarOf, changeOf } from './group.calendar.ts'
import { planRollover } from './group.rollover.job.ts'
import { groupsPerClient } from './group.settings.ts'

type GroupRow = ModelRow<'clientGroup'>
export interface Member {
  clientId: string
  role: string
}
/** A group as it is written: its row, and the members that a body gives. */
type GroupInput = GroupRow & { members: Member[]; meetingChanges: ChangedMeeting[] }
interface ChangedMeeting {
  Id?: string
  meetingOn: Date | string
  movedTo?: Date | string | null
}
/** Offices that one member holds at most. */
const offices = ['Chair', 'Secretary', 'Treasurer']

/** Last look at a group: as many members as it may have, each once and in few enough groups, and when it meets next. */
export async function prepareGroup(ctx: Ctx, write: PrepareWrite<GroupRow>): Promise<Partial<GroupRow>> {
  if (write.kind === 'remove') return {}
  const { id, before, kind } = write
  const input: Partial<GroupInput> = write.input
  const after = { ...before, ...input }
  const faults = [
    ...rangeFaults(after),
    ...(input.members ? memberFaults(input.members, after) : []),
    ...(input.members ? await clientFaults(ctx, id, input.members) : []),
  ]
  if (faults.length > 0) fail('INVALID', { fields: faults })
  return {
    ...(await nextMeeting(ctx, { id, input, before: before as Partial<GroupInput> | undefined })),
    ...(kind === 'create' ? { assignedUserId: input.assignedUserId ?? ctx.user.id } : {}),
  }
}

function rangeFaults({ minMembers = 5, maxMembers = 30 }: Partial<GroupInput>): FieldError[] {
  return minMembers > maxMembers ? [{ field: 'maxMembers', message: `may not be below ${minMembers}, the fewest members` }] : []
}

function memberFaults(members: readonly Member[], { status, minMembers = 5, maxMembers = 30 }: Partial<GroupInput>): FieldError[] {
  const twice = members.flatMap(({ clientId }, place) =>
    members.findIndex((one) => one.clientId === clientId) < place
      ? [{ field: `members.${place}.clientId`, message: 'is a member already' }]
      : [],
  )
  const held = members.flatMap(({ role }, place) =>
    offices.includes(role) && members.findIndex((one) => one.role === role) < place
      ? [{ field: `members.${place}.role`, message: `is held by another member` }]
      : [],
  )
  const count =
    members.length > maxMembers
      ? [{ field: 'members', message: `may be ${maxMembers} at most` }]
      : status === 'Active' && members.length < minMembers
        ? [{ field: 'members', message: `may not be fewer than ${minMembers} while the group works` }]
        : []
  return [...twice, ...held, ...count]
}

/** Members that came in with this write: who is closed, or in as many other groups as the company allows. Their groups beyond reach count, too. */
async function clientFaults(ctx: Ctx, groupId: string, members: readonly Member[]): Promise<FieldError[]> {
  const ids = members.map(({ clientId }) => clientId)
  if (ids.length === 0) return []
  const most = await settingOf(ctx, groupsPerClient)
  const rows = await ctx.sql.query<{ clientId: string; isClosed: boolean; others: number; isNew: boolean }>(sql`
    select c."id" as "clientId", c."status" = 'Closed' as "isClosed",
      (select count(*)::int from search.groups_of_clients(array[c."id"]) g where g."groupId" <> ${groupId}::uuid) as others,
      not exists (select from client_group_member m where m."companyId" = c."companyId" and m."groupId" = ${groupId}::uuid and m."clientId" = c."id") as "isNew"
    from client c where c."companyId" = ${ctx.company.id}::uuid and c."id" = any(${ids}::uuid[])`)
  const found = new Map(rows.filter(({ isNew }) => isNew).map((row) => [row.clientId, row]))
  return members.flatMap(({ clientId }, place) => {
    const row = found.get(clientId)
    if (row?.isClosed) return [{ field: `members.${place}.clientId`, message: 'is a closed client' }]
    if (row && row.others >= most)
      return [
        {
          field: `members.${place}.clientId`,
          message: `is in ${row.others === 1 ? 'another group' : `${row.others} other groups`} already`,
        },
      ]
    return []
  })
}

interface Scheduling {
  id: string
  input: Partial<GroupInput>
  before: Partial<GroupInput> | undefined
}

/** The meeting to come, where the calendar changes; the job that puts it on is planned for that moment. */
async function nextMeeting(ctx: Ctx, { id, input, before }: Scheduling): Promise<Partial<GroupRow>> {
  if (input.meetingRule === undefined && input.meetingStart === undefined && input.meetingChanges === undefined) return {}
  const after = { ...before, ...input }
  if (after.meetingRule && !after.meetingStart)
    fail('INVALID', { fields: [{ field: 'meetingStart', message: 'is required where meetings repeat' }] })
  const stored = await calendarOf(ctx, id, after)
  const calendar = stored && input.meetingChanges ? { ...stored, changes: input.meetingChanges.map(changeOf) } : stored
  refuseChanges(calendar, { id, input, before })
  const [next = null] = calendar ? meetingsAfter(calendar, new Date(), 1) : []
  if (next) planRollover(ctx, id, next)
  return { nextMeetingAt: next }
}

/** A meeting is changed once, and there must be one that day; a change that the calendar left behind may stay. */
function refuseChanges(calendar: MeetingCalendar | null, { input, before }: Scheduling): void {
  const changes = (input.meetingChanges ?? []).map(changeOf)
  const known = new Set((before?.meetingChanges ?? []).map((change) => changeOf(change).meetingOn))
  const faults = changes.flatMap(({ meetingOn }, place) => {
    const field = `meetingChanges.${place}.meetingOn`
    if (changes.findIndex((one) => one.meetingOn === meetingOn) < place) return [{ field, message: 'is there already' }]
    if (known.has(meetingOn) || (calendar && isMeetingDay(calendar, meetingOn))) return []
    return [{ field, message: 'is no day on which the group meets' }]
  })
  if (faults.length > 0) fail('INVALID', { fields: faults })
}

import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { meetingsAfter } from '@outpost/rules/clients/meetings'
import { z } from 'zod'
import type { HistoryOptions } from '../../../kernel/keeps/history.ts'
import { getRecord, restoreRecords } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { settingOf } from '../../../kernel/settings/read.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { on } from '../../../kernel/screens/panels.ts'
import type { Answer, Ctx, PanelDefinition } from '../../../kernel/types.ts'
import { client } from '../client.resource.ts'
import { calendarOf } from './group.calendar.ts'
import { clientGroup } from './group.resource.ts'
import { groupsPerClient } from './group.settings.ts'

const mostMeetings = 12

export const meetingsAnswer = z.strictObject({ meetings: z.array(z.strictObject({ at: z.iso.datetime(), place: z.string().nullable() })) })

/** The next meetings of a group by its calendar. */
export async function groupMeetings(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { meetingRule, meetingStart, meetingPlace, status } = await getRecord(ctx, clientGroup, id)
  const calendar = status === 'Closed' ? null : await calendarOf(ctx, id, { meetingRule, meetingStart })
  const times = calendar ? meetingsAfter(calendar, new Date(), mostMeetings) : []
  return { data: { meetings: times.map((at) => ({ at: at.toISOString(), place: meetingPlace })) } }
}

export const clientGroupsAnswer = z.strictObject({
  groups: z.array(
    z.strictObject({
      Id: identifierSchema,
      name: z.string(),
      role: z.string(),
      joinedOn: z.iso.date().nullable(),
      status: z.string(),
      nextMeetingAt: z.iso.datetime().nullable(),
    }),
  ),
})

/** The groups in reach that a client is in. */
export async function groupsOfClient(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, client, id)
  const groups = await ctx.sql.query(sql`
    select t."id" as "Id", t."name", m."role", to_char(m."joinedOn", 'YYYY-MM-DD') as "joinedOn", t."status", t."nextMeetingAt"
    from client_group t join client_group_member m on m."companyId" = t."companyId" and m."groupId" = t."id"
    where ${visibleRows(ctx, clientGroup)} and m."clientId" = ${id}::uuid order by t."name", t."id"`)
  return { data: { groups } }
}

export const restoreInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

/** Brings groups back, all or none, unless a member has joined as many others as the company allows by now. */
export function restoreGroups(ctx: Ctx, { ids }: z.infer<typeof restoreInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const clientGroups = await restoreRecords(inner, clientGroup, ids)
    const most = await settingOf(inner, groupsPerClient)
    const [crowded] = await inner.sql.query<{ name: string }>(sql`
      select concat_ws(' ', c."firstName", c."lastName") as name from client_group_member m join client c on c."companyId" = m."companyId" and c."id" = m."clientId"
      where m."companyId" = ${inner.company.id}::uuid and m."groupId" = any(${ids}::uuid[])
        and (select count(*) from search.groups_of_clients(array[m."clientId"])) > ${most}::int order by 1 limit 1`)
    if (crowded) fail('CONFLICT', { message: `${crowded.name} has joined another group since. Take them out of it first.` })
    return { data: { clientGroups }, message: clientGroups.length === 1 ? 'Group restored' : `${clientGroups.length} groups restored` }
  })
}

/** What the history of a group says beside its moves. */
export const groupHistory: HistoryOptions = { acts: { 'clientGroup.create': 'Formed' }, except: ['nextMeetingAt'] }

const text = (label: string) => ({ kind: 'text', label }) as const

export const meetingsPanel: PanelDefinition = {
  key: 'meetings',
  title: 'Meetings',
  route: 'clientGroups.meetings',
  value: 'meetings',
  fields: { at: { kind: 'dateTime', label: 'When' }, place: text('Where') },
  empty: { title: 'No meetings ahead', body: 'Say in the form when the group meets.' },
}

/** Tab of a client. */
export const groupPanels = [
  on('client', {
    key: 'groups',
    title: 'Groups',
    route: 'clientGroups.ofClient',
    value: 'groups',
    open: '/clients/groups/details/:id',
    fields: {
      name: text('Group'),
      role: text('Role'),
      joinedOn: { kind: 'date', label: 'Joined' },
      status: text('Status'),
      nextMeetingAt: { kind: 'dateTime', label: 'Next meeting' },
    },
    empty: { title: 'In no group' },
  }),
]

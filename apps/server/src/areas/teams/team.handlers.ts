import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { announce } from '../../kernel/realtime/announce.ts'
import type { HistoryOptions } from '../../kernel/resource/history.ts'
import { createRecord, getRecord, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import { closeStays, openStays, setMembers } from './members.ts'
import { team } from './team.resource.ts'

const idsOrRecords = z.array(z.union([idSchema, z.object({ Id: idSchema })])).max(500).optional()
/** A team with its members, by id or as records that carry one; the rest is checked by the resource. */
export const createInput = z.looseObject({ members: idsOrRecords })
export const updateInput = createInput.extend({ id: idSchema })

const idsOf = (given: z.infer<typeof idsOrRecords>) => given && [...new Set(given.map((one) => (typeof one === 'string' ? one : one.Id).toLowerCase()))]

/** Creates a team. Without members, a team of the tenant tree begins with the people of its node. */
export async function createTeam(ctx: Ctx, { members, ...body }: z.infer<typeof createInput>): Promise<Answer> {
  const made = await createRecord(ctx, team, checkInput(writeSchemas(team).create, body))
  const wanted = idsOf(members)
  await setMembers(ctx, made, wanted?.length ? wanted : await peopleOf(ctx, made))
  return { data: { team: await getRecord(ctx, team, made.Id) }, message: 'Team created successfully' }
}

async function peopleOf(ctx: Ctx, { teamTenantId }: WireRecord): Promise<string[]> {
  if (typeof teamTenantId !== 'string') return []
  const rows = await ctx.sql.query<{ userId: string }>(sql`
    select m."userId" from user_tenant m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId" and u."deletedAt" is null and u."status" = 1
    where m."companyId" = ${ctx.company.id}::uuid and m."tenantId" = ${teamTenantId}::uuid`)
  return rows.map(({ userId }) => userId)
}

export async function updateTeam(ctx: Ctx, { id, members, ...body }: z.infer<typeof updateInput>): Promise<Answer> {
  const saved = await updateRecord(ctx, team, id, checkInput(writeSchemas(team).update, { ...body, id }))
  const wanted = idsOf(members)
  if (wanted) await setMembers(ctx, saved, wanted)
  return { data: { team: await getRecord(ctx, team, id) }, message: 'Team updated successfully' }
}

export const moveInput = z.strictObject({ id: idSchema, userId: idSchema })

/** Moves a person into this team: the stays in other teams end at the same moment, so that no event counts in two. */
export async function moveMember(ctx: Ctx, { id, userId }: z.infer<typeof moveInput>): Promise<Answer> {
  const goal = await getRecord(ctx, team, id)
  await refuseUsersBeyondReach(ctx, [userId], 'userId')
  const left = await closeStays(ctx, { userIds: [userId], exceptTeamId: id })
  const opened = await openStays(ctx, goal, [userId])
  if (opened === 0 && left.length === 0) fail('CONFLICT', { message: 'This person is a member of the team already.' })
  announce(ctx, team, [id, ...left], 'updated', [])
  return { data: { team: await getRecord(ctx, team, id) }, message: 'Member moved' }
}

/** Who belonged to the team from when to when, the present ones first. */
export async function teamMembers(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, team, id)
  const members = await ctx.sql.query(sql`
    select m."id" as "Id", m."userId", concat_ws(' ', u."firstName", u."lastName") as label, m."fromDate", m."toDate" from team_member m
    join app_user u on u."companyId" = m."companyId" and u."id" = m."userId"
    where m."companyId" = ${ctx.company.id}::uuid and m."teamId" = ${id}::uuid order by m."toDate" desc nulls first, label limit 1000`)
  return { data: { members } }
}

/** What the history of a team says beside its fields: who came and who left. */
export const teamHistory: HistoryOptions = {
  entries: (ctx) => [stays(ctx, { at: sql`m."fromDate"`, by: sql`m."addedByUserId"`, what: 'joined' }), stays(ctx, { at: sql`m."toDate"`, by: sql`null::uuid`, what: 'left' })],
}

const stays = (ctx: Ctx, { at, by, what }: { at: Statement, by: Statement, what: string }) => sql`
  select ${at} as at, ${by} as "userId", null::uuid as "realUserId", concat_ws(' ', p."firstName", p."lastName", ${what}::text) as what, null as detail
  from team_member m join app_user p on p."companyId" = m."companyId" and p."id" = m."userId"
  where m."companyId" = ${ctx.company.id}::uuid and m."teamId" in (select id from ids) and ${at} is not null`

import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { announce } from '../../kernel/realtime/announce.ts'
import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import { nameOf } from '../../kernel/names.ts'
import { closeStays, openStays } from './members.ts'
import { team } from './team.resource.ts'

export const moveInput = z.strictObject({ id: idSchema, userId: idSchema })

/** Moves a person into this team: the stays in other teams end at the same moment, so that no event counts in two. */
export async function moveMember(ctx: Ctx, { id, userId }: z.infer<typeof moveInput>): Promise<Answer> {
  const goal = await getRecord(ctx, team, id)
  await refuseUsersBeyondReach(ctx, [userId], 'userId')
  await takeTurn(ctx.sql, `stays in teams of ${ctx.company.id}`)
  // The time of the turn: a transaction that began before another one may come after it.
  const { at } = await ctx.sql.one<{ at: string }>(sql`select clock_timestamp()::text as at`)
  const left = await closeStays(ctx, { userIds: [userId], at, exceptTeamId: id })
  const opened = await openStays(ctx, goal, { userIds: [userId], at })
  if (opened === 0 && left.length === 0) fail('CONFLICT', { message: 'This person is a member of the team already.' })
  announce(ctx, team, [id, ...left], 'updated', [])
  return { data: { team: await getRecord(ctx, team, id) }, message: 'Member moved' }
}

export const membersAnswer = z.strictObject({
  members: z.array(
    z.strictObject({
      Id: idSchema,
      userId: idSchema,
      label: z.string(),
      fromDate: z.iso.datetime(),
      toDate: z.iso.datetime().nullable(),
    }),
  ),
})

/** Who belonged to the team from when to when, the present ones first. */
export async function teamMembers(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, team, id)
  const members = await ctx.sql.query(sql`
    select m."id" as "Id", m."userId", ${nameOf('u')} as label, m."fromDate", m."toDate" from team_member m
    join app_user u on u."companyId" = m."companyId" and u."id" = m."userId"
    where m."companyId" = ${ctx.company.id}::uuid and m."teamId" = ${id}::uuid order by m."toDate" desc nulls first, label limit 1000`)
  return { data: { members } }
}

/** What the history of a team says beside its fields: who came and who left. */
export const teamHistory: HistoryOptions = {
  except: ['members'],
  entries: (ctx) => [
    stays(ctx, { at: sql`m."fromDate"`, by: sql`m."addedByUserId"`, what: 'joined' }),
    stays(ctx, { at: sql`m."toDate"`, by: sql`null::uuid`, what: 'left' }),
  ],
}

const stays = (ctx: Ctx, { at, by, what }: { at: Statement; by: Statement; what: string }) => sql`
  select ${at} as at, ${by} as "userId", null::uuid as "realUserId", concat_ws(' ', p."firstName", p."lastName", ${what}::text) as what, null as detail
  from team_member m join app_user p on p."companyId" = m."companyId" and p."id" = m."userId"
  where m."companyId" = ${ctx.company.id}::uuid and m."teamId" in (select id from ids) and ${at} is not null`

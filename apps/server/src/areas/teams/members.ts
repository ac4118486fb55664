import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import type { WireRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'

/** Begins a stay for each who has none in the team; gives how many began. */
export async function openStays(ctx: Ctx, team: WireRecord, { userIds, at }: { userIds: readonly string[]; at: string }): Promise<number> {
  const began = await ctx.sql.exec(sql`
    insert into team_member ("companyId", "id", "tenantId", "teamId", "userId", "fromDate", "addedByUserId")
    select ${ctx.company.id}::uuid, gen_random_uuid(), ${team['tenantId'] as string}::uuid, ${team.Id}::uuid, u, ${at}::timestamptz, ${ctx.user.id}::uuid
    from unnest(${userIds}::uuid[]) u where not exists (
      select 1 from team_member m where m."companyId" = ${ctx.company.id}::uuid and m."teamId" = ${team.Id}::uuid and m."userId" = u and m."toDate" is null)`)
  if (began > 0) audit(ctx, { action: 'team.members', objectType: 'team', objectId: team.Id, after: { joined: userIds } })
  return began
}

/** Ends the running stays of people in all teams but one; gives the teams left. Teams out of reach are left alone. */
export async function closeStays(
  ctx: Ctx,
  { userIds, at, exceptTeamId }: { userIds: readonly string[]; at: string; exceptTeamId: string },
): Promise<string[]> {
  const rows = await ctx.sql.query<{ teamId: string }>(sql`
    update team_member set "toDate" = greatest("fromDate", ${at}::timestamptz)
    where "companyId" = ${ctx.company.id}::uuid and "userId" = any(${userIds}::uuid[]) and "toDate" is null
      and "teamId" <> ${exceptTeamId}::uuid
    returning "teamId"`)
  const teams = [...new Set(rows.map((row) => row.teamId))]
  audit(
    ctx,
    teams.map((left) => ({ action: 'team.members', objectType: 'team', objectId: left, after: { left: userIds } })),
  )
  return teams
}

import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { refuseUsersBeyondReach, tenantInReach } from '../../kernel/session/reach.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type TeamRow = ModelRow<'team'> & { members?: string[] }

/** A team that is a node of the tenant tree is filed under that node, and begins with its people when it names nobody; its leader is somebody the caller reaches. */
export async function prepareTeam(ctx: Ctx, { kind, input, before, id }: PrepareWrite<TeamRow>): Promise<Partial<TeamRow>> {
  if (kind === 'remove') return {}
  if (input.leaderUserId && input.leaderUserId !== before?.leaderUserId)
    await refuseUsersBeyondReach(ctx, [input.leaderUserId], 'leaderUserId')
  if (input.teamTenantId === undefined || input.teamTenantId === (before?.teamTenantId ?? null)) return {}
  if (input.teamTenantId === null) return {}
  await refuseNoTeam(ctx, input.teamTenantId, id)
  return {
    tenantId: input.teamTenantId,
    ...(kind === 'create' && !input.members?.length ? { members: await peopleOf(ctx, input.teamTenantId) } : {}),
  }
}

async function peopleOf(ctx: Ctx, tenantId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ userId: string }>(sql`
    select m."userId" from user_tenant m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId" and u."deletedAt" is null and u."status" = 1
    where m."companyId" = ${ctx.company.id}::uuid and m."tenantId" = ${tenantId}::uuid`)
  return rows.map(({ userId }) => userId)
}

async function refuseNoTeam(ctx: Ctx, tenantId: string, teamId: string): Promise<void> {
  const inReach = tenantInReach(ctx, sql`b."id"`)
  const node = await ctx.sql.maybe<{ type: number; other: string | null }>(sql`
    select b."type", (select o."name" from team o where o."companyId" = b."companyId" and o."teamTenantId" = b."id" and o."deletedAt" is null and o."id" <> ${teamId}::uuid) as other
    from tenant b where b."companyId" = ${ctx.company.id}::uuid and b."id" = ${tenantId}::uuid and b."deletedAt" is null and ${inReach}`)
  if (node?.type !== 4) failField('teamTenantId', 'is not a team of the tenant tree in your reach')
  if (node.other !== null) failField('teamTenantId', `is ${node.other} already`)
}

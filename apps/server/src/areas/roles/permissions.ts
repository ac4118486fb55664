import { fail } from '@outpost/contract/errors'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { getRecord } from '../../kernel/resource/records.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import { session } from '../../kernel/session/services.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { role } from './role.resource.ts'

/** Every permission there is, with its place in the tree. */
export function allPermissions(): Answer {
  const permissions = permissionHierarchies.toSorted().map((hierarchy) => {
    const parts = hierarchy.split('/')
    return { Id: hierarchy, hierarchy, name: parts.at(-1), parent: parts.slice(0, -1).join('/') || null }
  })
  return { data: { permissions } }
}

/** What a role may do. */
export async function permissionsOfRole(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const found = await getRecord(ctx, role, id)
  return { data: { role: { Id: found.Id, name: found['name'] }, permissions: found['permissions'] } }
}

export const userInput = z.strictObject({ userId: idSchema })

/** The roles of a user: one's own, or, for administration, of a user in reach. */
export async function rolesOfUser(ctx: Ctx, { userId }: z.infer<typeof userInput>): Promise<Answer> {
  const companyId = await homeOf(ctx, userId)
  const roles = await session().store.sql.query(sql`
    select r."id" as "Id", r."name", r."systemRole", r."description" from user_role m
    join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
    where m."companyId" = ${companyId}::uuid and m."userId" = ${userId}::uuid order by r."name"`)
  return { data: { roles } }
}

interface Source {
  hierarchy: string
  sources: { kind: 'role' | 'user'; name: string }[]
}

/** What a user may do and where each right comes from: roles, or given to the user alone. */
export async function effectivePermissions(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const companyId = await homeOf(ctx, id)
  const { sql: db } = session().store
  const held = await db.query<Source>(effective(companyId, id))
  const isGlobal = await db.maybe(sql`
    select 1 as one from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
    where m."companyId" = ${companyId}::uuid and m."userId" = ${id}::uuid and r."systemRole" = 'global'`)
  const permissions = held.map(({ hierarchy, sources }) => ({ hierarchy, comesFrom: sources.map(wordsOf).join(', '), sources }))
  return { data: { permissions, note: isGlobal ? 'A global administrator may do everything, whatever is listed here.' : null } }
}

const wordsOf = ({ kind, name }: Source['sources'][number]) => (kind === 'role' ? `Role ${name}` : 'Given to this person')

function effective(companyId: string, userId: string): Statement {
  return sql`
    select hierarchy, json_agg(source order by source ->> 'name') as sources from (
      select upper(p."hierarchy") as hierarchy, jsonb_build_object('kind', 'role', 'Id', r."id", 'name', r."name") as source
      from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
      join role_permission p on p."companyId" = r."companyId" and p."roleId" = r."id"
      where m."companyId" = ${companyId}::uuid and m."userId" = ${userId}::uuid
      union all
      select upper("hierarchy"), jsonb_build_object('kind', 'user', 'name', 'given to the user') from user_permission
      where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid
    ) held group by hierarchy order by hierarchy`
}

/** Home company of the caller or of a user the caller administers; else FORBIDDEN or NOT_FOUND. */
async function homeOf(ctx: Ctx, userId: string): Promise<string> {
  if (userId === ctx.user.id) return ctx.user.companyId
  if (!holdsAny(ctx, 'ADMIN/USERS', 'ADMIN/ROLES')) fail('FORBIDDEN')
  const user = await ctx.sql.maybe(sql`
    select 1 as one from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and ${userInReach(ctx, 'u')}`)
  return user ? ctx.company.id : fail('NOT_FOUND')
}

import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../types.ts'

/** Where-clause over an app_user alias of the program's own: users who work in the caller's reach, and the caller. Null when that is everybody. */
export function userInReach(ctx: Pick<Ctx, 'scope' | 'user'>, alias = 't'): Statement | null {
  if (ctx.scope === '*') return null
  const u = trusted(alias)
  return sql`(${u}."id" = ${ctx.user.id}::uuid or exists (select 1 from user_tenant reach
    where reach."companyId" = ${u}."companyId" and reach."userId" = ${u}."id" and reach."tenantId" = any(${ctx.scope}::uuid[])))`
}

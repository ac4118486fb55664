import { fail, failField } from '@outpost/contract/errors'
import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../types.ts'

/** Condition that a tenant is in the caller's reach; `tenantId` is its id in SQL. */
export const tenantInReach = ({ scope }: Pick<Ctx, 'scope'>, tenantId: Statement): Statement =>
  scope === '*' ? sql`true` : sql`${tenantId} = any(${scope}::uuid[])`

/** Whether a tenant is in the caller's reach. */
export const reaches = ({ scope }: Pick<Ctx, 'scope'>, tenantId: string): boolean => scope === '*' || scope.includes(tenantId)

/** Where-clause over an app_user alias of the program's own: people who work in the caller's reach, and the caller. API users are no people. */
export function userInReach(ctx: Pick<Ctx, 'scope' | 'user'>, alias = 't'): Statement {
  const u = trusted(alias)
  return sql`not ${u}."isProgram" and ${worksInReach(ctx, alias)}`
}

/** The same for people and API users alike. */
export function worksInReach(ctx: Pick<Ctx, 'scope' | 'user'>, alias = 't'): Statement {
  if (ctx.scope === '*') return sql`true`
  const u = trusted(alias)
  return sql`(${u}."id" = ${ctx.user.id}::uuid or exists (select 1 from user_tenant reach
    where reach."companyId" = ${u}."companyId" and reach."userId" = ${u}."id" and reach."tenantId" = any(${ctx.scope}::uuid[])))`
}

/** Those among the ids that are active users in the caller's reach, in small letters. */
export async function usersInReach(ctx: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (wanted.length === 0) return new Set()
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select u."id" from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = any(${wanted}::uuid[]) and u."status" = 1
      and u."deletedAt" is null and ${userInReach(ctx, 'u')}`)
  return new Set(rows.map(({ id }) => id))
}

/** Fails with INVALID on the field unless all are active users in the caller's reach. */
export async function refuseUsersBeyondReach(ctx: Ctx, ids: readonly string[], field: string): Promise<void> {
  const known = await usersInReach(ctx, ids)
  if (ids.some((id) => !known.has(id.toLowerCase()))) failField(field, 'is not an active user in your reach')
}

/** Stops with FORBIDDEN whoever works in a part of the company only: what follows concerns all of it. */
export function requireWholeCompany({ scope }: Pick<Ctx, 'scope'>): void {
  if (scope !== '*')
    fail('FORBIDDEN', {
      message: 'This concerns the whole company. Choose the company as your tenant, or ask somebody who works for all of it.',
    })
}

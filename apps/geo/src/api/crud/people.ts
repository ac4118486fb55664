import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { GeoCtx } from '../types.ts'

interface Named {
  ids: readonly string[]
  /** Those the record names already: they stay, whoever named them. */
  before?: unknown
  field?: string
}

/** Throws INVALID, naming the field, unless every user who is newly named is active and works in the caller's reach. */
export async function requirePeople(
  { caller }: GeoCtx,
  db: Pick<Sql, 'one'>,
  { ids, before = [], field = 'userId' }: Named,
): Promise<void> {
  const named = [before].flat()
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !named.includes(id))
  if (wanted.length === 0) return
  const isInReach =
    caller.scope === '*'
      ? sql`true`
      : sql`(u."id" = ${caller.user} or exists (select from public.user_tenant r
          where r."companyId" = u."companyId" and r."userId" = u."id" and r."tenantId" = any(${caller.scope}::uuid[])))`
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from public.app_user u
    where u."companyId" = ${caller.company} and u."id" = any(${wanted}::uuid[]) and u."status" = 1 and u."deletedAt" is null and ${isInReach}`)
  if (count < wanted.length) fail('INVALID', { fields: [{ field, message: 'is not an active user in your reach' }] })
}

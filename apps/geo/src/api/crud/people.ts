import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { GeoCtx } from '../types.ts'

/** Throws INVALID, naming the field, when one of these user ids does not exist in the caller's company. */
export async function requirePeople({ caller }: GeoCtx, db: Pick<Sql, 'one'>, ids: readonly string[], field = 'userId'): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from public.app_user where "companyId" = ${caller.company} and "id" = any(${wanted}::uuid[])`,
  )
  if (count < wanted.length) fail('INVALID', { fields: [{ field, message: 'is nobody of this company' }] })
}

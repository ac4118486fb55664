import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'

/** So many numbers are laid ready at once, when fewer than the second are left. */
const [portion, low] = [500, 250]

/**
 * Takes numbers that the company has ready, the lowest first, as many as there are. Nobody waits: what another transaction is taking is passed over. One that
 * rolls back leaves its numbers where they were, so the next one has them.
 */
export async function takeReady(ctx: Ctx, objectType: string, count: number): Promise<number[]> {
  const taken = await ctx.sql.query<{ number: number; last: number }>(
    prepared(
      sql`
    with taken as (
      delete from record_number where "companyId" = ${ctx.company.id}::uuid and "objectType" = ${objectType} and "number" = any(array(
        select "number" from record_number where "companyId" = ${ctx.company.id}::uuid and "objectType" = ${objectType} order by "number" limit ${count}::int for update skip locked))
      returning "number")
    select taken."number", c."last" from taken, record_counter c where c."companyId" = ${ctx.company.id}::uuid and c."objectType" = ${objectType} order by 1`,
      'write',
    ),
  )
  const newest = taken.at(-1)
  if (taken.length < count || (newest && newest.last - newest.number < low))
    ctx.afterCommit((after) => after.transaction((own) => layReady(own, objectType)))
  return taken.map(({ number }) => number)
}

/** Counts a portion up in a transaction of its own, unless somebody else is counting. */
async function layReady(ctx: Ctx, objectType: string): Promise<void> {
  await ctx.sql.exec(sql`
    with counter as (
      select "last" from record_counter where "companyId" = ${ctx.company.id}::uuid and "objectType" = ${objectType}
        and (select count(*) from record_number r where r."companyId" = ${ctx.company.id}::uuid and r."objectType" = ${objectType}) < ${low}::int for update skip locked),
    counted as (
      update record_counter c set "last" = c."last" + ${portion}::int from counter where c."companyId" = ${ctx.company.id}::uuid and c."objectType" = ${objectType} returning c."last")
    insert into record_number ("companyId", "objectType", "number")
    select ${ctx.company.id}::uuid, ${objectType}, n from counted, generate_series(counted."last" - ${portion}::int + 1, counted."last") n`)
}

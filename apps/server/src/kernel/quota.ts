import { fail } from '@outpost/contract/errors'
import { identifier, sql, trusted } from '@outpost/platform/db/sql'
import type { Ctx } from './types.ts'

/** Rows that anybody who is signed in may write: how many of one user there may be. */
export interface Quota {
  name: string
  table: string
  most: number
  what: string
  advice: string
  /** What else a row must be to count, as SQL over it. */ counts?: string
}

/** The error log, which several areas write. */
export const errorQuota: Quota = {
  name: 'errorLog',
  table: 'error_log',
  most: 500,
  what: 'entries of the error log within a day',
  advice: 'Try again tomorrow.',
  counts: `"dateCreated" > now() - interval '1 day'`,
}

/** How many more rows of a quota the caller may write in this transaction; calls at the same time wait for each other. */
export async function roomFor(ctx: Ctx, { name, table, most, counts }: Quota): Promise<number> {
  await ctx.sql.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${name} `} || ${ctx.user.id}::text, 0))`)
  const { count } = await ctx.sql.one<{ count: number }>(sql`
    select count(*) as count from (select 1 from ${identifier(table)} where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid
      and ${trusted(counts ?? 'true')} limit ${trusted(String(most))}) c`)
  return most - count
}

/** Stops with QUOTA_REACHED, which names the quota, unless the caller may write one more row. Must run inside the transaction that writes them. */
export async function assertWithinQuota(ctx: Ctx, quota: Quota): Promise<void> {
  if ((await roomFor(ctx, quota)) < 1) refuseOverQuota(quota)
}

/** Stops with QUOTA_REACHED, which names the quota. */
export function refuseOverQuota({ name, most, what, advice }: Quota): never {
  return fail('QUOTA_REACHED', { message: `You may have ${most} ${what} at most. ${advice}`, details: { quota: name, most } })
}

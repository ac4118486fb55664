import { fail } from '@outpost/contract/errors'
import { identifier, sql, trusted } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Setting } from './settings/define.ts'
import { settingOf } from './settings/read.ts'
import type { Ctx } from './types.ts'

/** Rows that anybody who is signed in may write: how many of one user there may be. */
export interface Quota {
  name: string
  table: string
  /** A number, or the setting that says it for a company. */
  most: number | Setting
  what: string
  advice: string
  /** What else a row must be to count, as SQL over it. */ counts?: string
}

/** A setting, for the area that shows the error log to declare. */
export const errorEntries: Setting = {
  name: 'errorEntriesPerDay',
  section: 'limits',
  label: 'Entries of the error log',
  help: 'How many a person’s devices may report within a day; more are refused.',
  unit: 'a day and person',
  min: 50,
  max: 5_000,
  standard: 500,
  level: 'company',
}

const mostOf = async (ctx: Ctx, { most }: Quota): Promise<number> =>
  typeof most === 'number' ? most : settingOf(ctx, most, ctx.company.id)

/** The error log, which several areas write. */
export const errorQuota: Quota = {
  name: 'errorLog',
  table: 'error_log',
  most: errorEntries,
  what: 'entries of the error log within a day',
  advice: 'Try again tomorrow.',
  counts: `"dateCreated" > now() - interval '1 day'`,
}

/** How many more rows of a quota the caller may write in this transaction; calls at the same time wait for each other. */
export async function roomFor(ctx: Ctx, quota: Quota): Promise<number> {
  const { name, table, counts } = quota
  const most = await mostOf(ctx, quota)
  await takeTurn(ctx.sql, `quota ${name} ${ctx.user.id}`)
  const { count } = await ctx.sql.one<{ count: number }>(sql`
    select count(*) as count from (select 1 from ${identifier(table)} where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid
      and ${trusted(counts ?? 'true')} limit ${trusted(String(most))}) c`)
  return most - count
}

/** Stops with QUOTA_REACHED, which names the quota, unless the caller may write one more row. Must run inside the transaction that writes them. */
export async function assertWithinQuota(ctx: Ctx, quota: Quota): Promise<void> {
  if ((await roomFor(ctx, quota)) < 1) await refuseOverQuota(ctx, quota)
}

/** Stops with QUOTA_REACHED, which names the quota. */
export async function refuseOverQuota(ctx: Ctx, quota: Quota): Promise<never> {
  const [{ name, what, advice }, most] = [quota, await mostOf(ctx, quota)]
  return fail('QUOTA_REACHED', { message: `You may have ${most} ${what} at most. ${advice}`, details: { quota: name, most } })
}

/** Rows that the company has, without deleted ones. Calls at the same time wait for each other: no two of them take the last place. Must run inside the transaction that writes. */
export async function countInCompany(ctx: Ctx, table: string): Promise<number> {
  await takeTurn(ctx.sql, `rows of ${table} ${ctx.company.id}`)
  const { count } = await ctx.sql.one<{ count: number }>(sql`
    select count(*)::int as count from ${identifier(table)} where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null`)
  return count
}

import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'

/** Bytes a company may store. */
const quota = 5 * 1024 ** 3

/** Stops with NO_SPACE when the company's files, those of records among them, would take more than it may store. */
export async function refuseWithoutSpace(ctx: Ctx, size: number): Promise<void> {
  const company = ctx.company.id
  const { used } = await ctx.sql.one<{ used: string }>(sql`
    select ((select coalesce(sum("size"), 0) from stored_file where "companyId" = ${company}::uuid and "deletedAt" is null)
      + (select coalesce(sum("size"), 0) from record_file where "companyId" = ${company}::uuid and "removedAt" is null)
      + (select coalesce(sum("length"), 0) from upload_portion where "companyId" = ${company}::uuid))::text as used`)
  if (Number(used) + size > quota) fail('NO_SPACE', { message: 'The storage of your company is full.' })
}

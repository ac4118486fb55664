import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { session } from '../session/services.ts'
import type { Setting } from '../settings/define.ts'
import { settingOf } from '../settings/read.ts'
import type { Ctx } from '../types.ts'

const gigabyte = 1024 ** 3

/** How much the files of a company may take. Space costs whoever runs Outpost, so that a company does not give itself more. */
export const companyStorage = (standard: number): Setting => ({
  name: 'storageGigabytes',
  section: 'limits',
  label: 'Storage of the company',
  help: 'How much photos, papers and other files may take. The administrators of the group choose it; for a company without one, whoever runs Outpost does.',
  unit: 'GB',
  min: 1,
  max: 100_000,
  standard,
  level: 'company',
  chosenBy: 'group',
})

interface Space {
  used: number
  most: number
}

/** Bytes that the company's files take, those of records and those on their way among them, and bytes that they may take. */
export async function spaceOf(ctx: Ctx): Promise<Space> {
  const company = ctx.company.id
  const { used } = await ctx.sql.one<{ used: string }>(sql`
    select ((select coalesce(sum("size"), 0) from stored_file where "companyId" = ${company}::uuid and "deletedAt" is null)
      + (select coalesce(sum("size"), 0) from record_file where "companyId" = ${company}::uuid and "removedAt" is null)
      + (select coalesce(sum("length"), 0) from upload_portion where "companyId" = ${company}::uuid))::text as used`)
  const most = await settingOf(ctx, companyStorage(session().storageGb), company)
  return { used: Number(used), most: most * gigabyte }
}

/** Stops with NO_SPACE and the numbers when the company's files would take more than they may. */
export async function refuseWithoutSpace(ctx: Ctx, size: number): Promise<void> {
  const { used, most } = await spaceOf(ctx)
  if (used + size <= most) return
  const details = { used: inBytes(used), most: inBytes(most), size: inBytes(size) }
  const words = `${details.used} of ${details.most} are used, ${details.size} more do not fit.`
  fail('NO_SPACE', { message: `The storage of your company is full: ${words}`, details })
}

const units = ['B', 'kB', 'MB', 'GB'] as const

/** A size as people read it: 4.9 GB. Never rounded up, so that nothing full looks larger than it may be. */
export function inBytes(size: number): string {
  const step = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log(size) / Math.log(1024)))
  return `${Math.floor((size / 1024 ** step) * 10) / 10} ${units[step]}`
}

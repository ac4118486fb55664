import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import type { Moved } from '../../kernel/workflow/types.ts'
import { applicationNews } from './application.news.ts'

const day = 86_400_000

/** The resource that these moves are of: it names them, so they find it by its name. */
export const applications = () => resourceNamed('loanApplication') ?? fail('NOT_FOUND')

/** What is sent in expires one day; the job looks again then. */
export async function submitted(ctx: Ctx, { id, record }: Moved): Promise<void> {
  const runAt = new Date(String(record['expiresAt'] ?? new Date(Date.now() + day).toISOString()))
  await enqueueJob(ctx, 'applications.expire', { id }, runAt)
}

const words = new Map([
  ['Approved', 'approved'],
  ['Declined', 'declined'],
  ['Draft', 'sent back'],
])

/** The officer hears what became of the application. */
export async function decided(ctx: Ctx, { id, to, record }: Moved): Promise<void> {
  const owner = (record['ownerUserId'] ?? record['createdByUserId']) as string | null
  if (!owner || owner === ctx.user.id) return
  await notify(ctx, {
    userId: owner,
    itemType: 'Message',
    kind: applicationNews,
    itemId: id,
    message: `${String(record['applicationNumber'])} was ${words.get(to) ?? to} by ${ctx.user.firstName} ${ctx.user.lastName}`,
    link: `/sales/applications/view/${id}`,
  })
}

/** Ends an application that nobody decided on, or that was approved and never paid out, once its days are over. */
export const expireJob: JobDefinition<{ id: string }> = {
  name: 'applications.expire',
  run: async (ctx, { id }) => {
    const row = await ctx.sql.maybe<{ isOver: boolean; expiresAt: Date }>(sql`
      select "expiresAt" <= now() as "isOver", "expiresAt" from loan_application
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null and "status" in ('Submitted', 'In review', 'Approved') for update`)
    if (row?.isOver)
      await writeRecords(ctx, applications(), [
        { kind: 'update', id, input: { status: 'Expired' }, move: { field: 'status', asked: {}, name: 'expire' } },
      ])
  },
}

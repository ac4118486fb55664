import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { listAddress } from '../../kernel/screens/tiles.ts'
import type { Answer, Ctx, JobDefinition } from '../../kernel/types.ts'
import { booksNews } from './difference.news.ts'
import { moneyDifference } from './difference.resource.ts'
import { reconcile } from './reconcile.ts'

const type = 'reconciliation.run'

/** Has the books compared now, in nobody's reach but the whole company's. */
export async function runNow(ctx: Ctx): Promise<Answer> {
  await enqueueJob(ctx, type, { askedBy: ctx.user.id })
  return { data: {}, message: 'The books are being compared; you are told when it is done' }
}

/** Compares the books as the nightly job does, and notifies whoever asked of the result. */
export const runJob: JobDefinition<{ askedBy: string }> = {
  name: type,
  run: async (ctx, { askedBy }) => {
    const { loans, open, fresh, gone } = await reconcile(ctx)
    const here = await ctx.sql.maybe(
      sql`select from app_user where "companyId" = ${ctx.company.id}::uuid and "id" = ${askedBy}::uuid and "status" = 1 and "deletedAt" is null`,
    )
    if (!here) return
    const message =
      open === 0 ? `The books agree: ${loans} loans` : `The books were compared: ${open} differences, ${fresh} new, ${gone} gone`
    await notify(ctx, {
      userId: askedBy,
      itemType: 'Message',
      kind: booksNews,
      message,
      link: listAddress(ctx, moneyDifference, '/loans/differences', [{ field: 'status', op: 'eq', value: 'Open' }]),
    })
  },
}

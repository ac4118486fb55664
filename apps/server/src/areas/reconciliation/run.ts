import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Answer, Ctx, JobDefinition } from '../../kernel/types.ts'
import { differencesWhere } from './difference.alert.ts'
import { booksNews } from './difference.news.ts'
import { reconcile } from './reconcile.ts'

const type = 'reconciliation.run'

/** Has the books compared now, in nobody's reach but the whole company's. */
export async function runNow(ctx: Ctx): Promise<Answer> {
  await enqueueJob(ctx, type, { askedBy: ctx.user.id })
  return { data: {}, message: 'The books are being compared; you are told when it is done' }
}

/** Compares the books as the nightly job does, and notifies whoever asked of the result: of each number by itself, so that each opens its rows. */
export const runJob: JobDefinition<{ askedBy: string }> = {
  name: type,
  run: async (ctx, { askedBy }) => {
    const { loans, at } = await reconcile(ctx)
    const seen = await countsFor(ctx, askedBy, at)
    if (!seen) return
    const tell = (message: string, values: Readonly<Record<string, string>>) =>
      notify(ctx, { userId: askedBy, itemType: 'Message', kind: booksNews, message, link: differencesWhere(ctx, values) })
    const { open, fresh, gone } = seen
    if (fresh > 0) await tell(`New where the books were compared: ${fresh} differences`, { foundAt: at })
    if (gone > 0) await tell(`Gone where the books were compared: ${gone} differences`, { goneAt: at })
    await tell(open === 0 ? `The books agree: ${loans} loans` : `The books were compared: ${open} differences`, { status: 'Open' })
  },
}

interface Seen extends Record<string, unknown> {
  open: number
  fresh: number
  gone: number
}

/** How many differences a person sees: those of the tenants in their reach, as the list shows them. Undefined for somebody who has left. */
const countsFor = (ctx: Ctx, userId: string, at: string): Promise<Seen | undefined> =>
  ctx.sql.maybe<Seen>(sql`
    select count(d."id") filter (where d."status" = 'Open')::int as open, count(d."id") filter (where d."foundAt" = ${at}::timestamptz)::int as fresh,
      count(d."id") filter (where d."goneAt" = ${at}::timestamptz)::int as gone
    from app_user u left join (money_difference d join tenant t on t."companyId" = d."companyId" and t."id" = d."tenantId") on d."companyId" = u."companyId" and d."deletedAt" is null
      and exists (select from user_tenant m where m."companyId" = u."companyId" and m."userId" = u."id" and m."tenantId" = any(t."path"))
    where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and u."status" = 1 and u."deletedAt" is null group by u."id"`)

import { sql } from '@outpost/platform/db/sql'
import { dailyJob } from '../../kernel/jobs/enqueue.ts'
import { wordingFor } from '../../kernel/settings/wording.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx } from '../../kernel/types.ts'
import { clientNews } from './client.news.ts'
import { warningDays } from './client.papers.ts'

/** So many are reported by one run; the rest by one that follows at once. */
const mostAtOnce = 500

interface Paper {
  documentId: string
  clientId: string
  userId: string
  fullName: string
  kind: string
  expiresOn: string
  days: number
}

/** Tells agents at six in the morning of papers that expire in 30, 7 or 1 day: each warning once, the nearest one where several are due. */
export const papersJob = dailyJob('clients.papers', {
  minute: 6 * 60,
  run: async (ctx) => {
    const papers = await duePapers(ctx)
    for (const paper of papers) await warn(ctx, paper)
    return papers.length === mostAtOnce
  },
})

/** `days`: the least warning that the days left fall under. What was reported for the same day of expiry is left out. */
function duePapers(ctx: Ctx): Promise<Paper[]> {
  return ctx.sql.query<Paper & Record<string, unknown>>(sql`
    with today as (select (now() at time zone ${ctx.company.timeZone})::date as day),
    due as (
      select d."id" as "documentId", d."kind", d."expiresOn", c."id" as "clientId", concat_ws(' ', c."firstName", c."lastName") as "fullName", coalesce(c."assignedUserId", c."createdByUserId") as "userId",
        (select min(w) from unnest(${[...warningDays]}::int[]) w where w >= d."expiresOn" - today.day) as days
      from client_document d join client c on c."companyId" = d."companyId" and c."id" = d."clientId" and c."deletedAt" is null and c."status" <> 'Closed', today
      where d."companyId" = ${ctx.company.id}::uuid and d."expiresOn" between today.day and today.day + ${warningDays[0]}::int)
    select due."documentId", due."clientId", due."userId", due."fullName", due."kind", to_char(due."expiresOn", 'YYYY-MM-DD') as "expiresOn", due.days from due
      join app_user u on u."companyId" = ${ctx.company.id}::uuid and u."id" = due."userId" and u."status" = 1 and u."deletedAt" is null
    where not exists (select from client_paper_alert a where a."companyId" = ${ctx.company.id}::uuid and a."documentId" = due."documentId" and a."expiresOn" = due."expiresOn" and a."days" <= due.days)
    order by due."expiresOn", due."documentId" limit ${mostAtOnce}`)
}

async function warn(ctx: Ctx, { documentId, clientId, userId, fullName, kind, expiresOn, days }: Paper): Promise<void> {
  await ctx.sql.exec(sql`
    insert into client_paper_alert ("companyId", "documentId", "expiresOn", "days")
    values (${ctx.company.id}::uuid, ${documentId}::uuid, ${expiresOn}::date, ${days}) on conflict do nothing`)
  await notify(ctx, {
    userId,
    itemType: 'Message',
    kind: clientNews,
    itemId: clientId,
    message: `${kind} of ${fullName} expires on ${(await wordingFor(ctx.company)).day(expiresOn)}`,
    link: `/clients/${clientId}/view`,
  })
}

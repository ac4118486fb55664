import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { wordingFor } from '../../kernel/settings/wording.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { clientNews } from './client.news.ts'
import { warningDays } from './client.papers.ts'

const jobName = 'clients.papers'
/** Hour of the company's day at which papers are looked at. */
const lookHour = 6
/** So many are reported by one job; the rest by one that follows at once. */
const mostAtOnce = 500

const planned = new WeakSet<Ctx>()

/** Sees to it that papers are looked at every day from tomorrow on; once for all clients of a transaction. */
export function planPapers(ctx: Ctx): void {
  if (planned.has(ctx)) return
  planned.add(ctx)
  ctx.beforeCommit(async () => {
    const next = await ctx.sql.maybe(
      sql`select 1 from outbox where "companyId" = ${ctx.company.id}::uuid and "type" = ${jobName} and "status" = 'new' limit 1`,
    )
    if (!next) await planNext(ctx)
  })
}

async function planNext(ctx: Ctx, runAt?: Date): Promise<void> {
  const at = runAt ?? (await nextLook(ctx))
  await enqueue(ctx.sql, { companyId: ctx.company.id, userId: null, type: jobName, payload: {}, runAt: at })
}

async function nextLook({ sql: db, company }: Ctx): Promise<Date> {
  const { at } = await db.one<{ at: Date }>(sql`
    select (date_trunc('day', now() at time zone ${company.timeZone}) + interval '1 day' + make_interval(hours => ${lookHour})) at time zone ${company.timeZone} as at`)
  return at
}

interface Paper {
  documentId: string
  clientId: string
  userId: string
  fullName: string
  kind: string
  expiresOn: string
  days: number
}

/** Tells agents of papers that expire in 30, 7 or 1 day: each warning once, the nearest one where several are due. Each look plans the next one. */
export const papersJob: JobDefinition = {
  name: jobName,
  run: async (ctx) => {
    const papers = await duePapers(ctx)
    for (const paper of papers) await tell(ctx, paper)
    await planNext(ctx, papers.length === mostAtOnce ? new Date() : undefined)
  },
  // One bad day must not end all looks.
  whenDead: (ctx) => planNext(ctx),
}

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

async function tell(ctx: Ctx, { documentId, clientId, userId, fullName, kind, expiresOn, days }: Paper): Promise<void> {
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

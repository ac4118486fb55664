import { sql } from '@outpost/platform/db/sql'
import { dailyJob } from '../../kernel/jobs/enqueue.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx } from '../../kernel/types.ts'
import { policyNews } from './policy.news.ts'

/** Days before a policy expires on which its agent gets a notification (domain INS-M3). */
export const warningDays = [30, 7, 1] as const
/** How many policies one run handles; one that follows at once handles the rest. */
const mostAtOnce = 500

interface Policy {
  choiceId: string
  applicationId: string
  userId: string
  client: string
  name: string
  expiresOn: string
  days: number
}

/** Tells agents at six in the morning of policies that expire in 30, 7 or 1 day: each warning once, the nearest one where several are due. */
export const expiryJob = dailyJob('insurance.expiries', {
  minute: 6 * 60,
  run: async (ctx) => {
    const policies = await duePolicies(ctx)
    for (const policy of policies) await warn(ctx, policy)
    return policies.length === mostAtOnce
  },
})

/** Policies that count, of applications that are not over and loans that are not paid off. `days`: the least warning that the days left fall under. */
function duePolicies(ctx: Ctx): Promise<Policy[]> {
  return ctx.sql.query<Policy & Record<string, unknown>>(sql`
    with today as (select (now() at time zone ${ctx.company.timeZone})::date as day),
    due as (
      select i."id" as "choiceId", i."applicationId", i."expiresOn", concat_ws(', ', i."insurer", i."name") as name, coalesce(l."officerUserId", a."ownerUserId", a."createdByUserId") as "userId",
        (select concat_ws(' ', c."firstName", c."lastName") from client c where c."companyId" = i."companyId" and c."id" = coalesce(l."clientId", a."clientId")) as client,
        (select min(w) from unnest(${[...warningDays]}::int[]) w where w >= i."expiresOn" - today.day) as days
      from insurance_choice i join loan_application a on a."companyId" = i."companyId" and a."id" = i."applicationId" and a."deletedAt" is null and a."status" not in ('Declined', 'Expired', 'Withdrawn', 'Cancelled')
        left join loan l on l."companyId" = i."companyId" and l."applicationId" = i."applicationId" and l."deletedAt" is null, today
      where i."companyId" = ${ctx.company.id}::uuid and i."status" = 'Accepted' and i."expiresOn" between today.day and today.day + ${warningDays[0]}::int
        and coalesce(l."status", 'Approved') not in ('Closed', 'Overpaid', 'Written off', 'Cancelled'))
    select due."choiceId", due."applicationId", due."userId", due.client, due.name, to_char(due."expiresOn", 'YYYY-MM-DD') as "expiresOn", due.days from due
      join app_user u on u."companyId" = ${ctx.company.id}::uuid and u."id" = due."userId" and u."status" = 1 and u."deletedAt" is null
    where not exists (select from insurance_alert t where t."companyId" = ${ctx.company.id}::uuid and t."choiceId" = due."choiceId" and t."expiresOn" = due."expiresOn" and t."days" <= due.days)
    order by due."expiresOn", due."choiceId" limit ${mostAtOnce}`)
}

async function warn(ctx: Ctx, { choiceId, applicationId, userId, client, name, expiresOn, days }: Policy): Promise<void> {
  await ctx.sql.exec(sql`
    insert into insurance_alert ("companyId", "choiceId", "expiresOn", "days")
    values (${ctx.company.id}::uuid, ${choiceId}::uuid, ${expiresOn}::date, ${days}) on conflict do nothing`)
  const whose = client === '' ? '' : ` of ${client}`
  const message = `The policy${whose} (${name}) expires on ${expiresOn}`
  await notify(ctx, {
    userId,
    itemType: 'Message',
    kind: policyNews,
    itemId: applicationId,
    message,
    link: `/sales/applications/view/${applicationId}`,
  })
}

import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { audit } from '../../../kernel/audit.ts'
import { assigningOf, undoMinutes, type Agent } from '../../../kernel/assigning.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { nameOf } from '../../../kernel/names.ts'
import { workNews } from '../../agents/index.ts'
import { agentIds } from './activity.agents.ts'
import { activity } from '../activity.resource.ts'

const isToDo = (status: Statement) =>
  sql`coalesce((select s."meaning" from activity_status s where s."companyId" = t."companyId" and s."id" = ${status}), 'open') in ('open', 'started')`

/** Activities given away in bulk: each to one agent, who does it in the place of those who had it; and taken back. */
export const {
  assignees: activityAssignees,
  assignMany,
  undoAssignments,
} = assigningOf({
  words: { one: 'activity', many: 'activities' },
  records: (ctx, ids) => sql`
    select t."id" as "Id", ${isToDo(sql`t."statusId"`)} as "isOpen",
      array(select a."userId" from activity_assignment a where a."companyId" = t."companyId" and a."activityId" = t."id" and ${isToDo(sql`a."statusId"`)}) as "holderIds"
    from activity t where ${visibleRows(ctx, activity)} and t."id" = any(${ids}::uuid[])`,
  loads: (ctx) => sql`
    select a."userId" as id, count(*)::int as open from activity t join activity_assignment a on a."companyId" = t."companyId" and a."activityId" = t."id"
    where ${visibleRows(ctx, activity)} and ${isToDo(sql`a."statusId"`)} group by 1`,
  give,
  takeBack,
  tell: async (ctx, userId, ids) => {
    const [message, link] =
      ids.length === 1
        ? ['An activity was given to you', `/sales/activities/${ids[0]}/view`]
        : [`${ids.length} activities were given to you`, '/agents/landingpage']
    if (userId !== ctx.user.id)
      await notify(ctx, { userId, itemType: 'Activity', kind: workNews, itemId: ids.length === 1 ? (ids[0] ?? null) : null, message, link })
  },
  tellLost: async (ctx, userId, message) =>
    void (await notify(ctx, { userId, itemType: 'Activity', kind: workNews, message, link: '/agents/landingpage' })),
})

async function give(ctx: Ctx, id: string, agent: Agent): Promise<string | undefined> {
  const before = await getRecord(ctx, activity, id)
  const users = agentIds(before)
  if (users.length === 1 && users[0] === agent.id) return `${agent.name} has this activity already.`
  if (!['open', 'started'].includes(String(before['meaning'] ?? 'open'))) return `It is ${String(before['status'])}: nothing is left to do.`
  const busy = await atWork(ctx, id)
  if (busy) return `${busy} is at it now.`
  const former = await ctx.sql.query(
    sql`select a.* from activity_assignment a where a."companyId" = ${ctx.company.id} and a."activityId" = ${id}`,
  )
  const saved = await updateRecord(ctx, activity, id, { assignedUsers: [agent.id] })
  await ctx.sql.exec(sql`
    insert into activity_gift ("companyId", "id", "tenantId", "activityId", "userId", "givenByUserId", "former", "formerStatusId", "formerTenantId")
    values (${ctx.company.id}, gen_random_uuid(), ${String(saved['tenantId'])}, ${id}, ${agent.id}, ${ctx.user.id}, ${JSON.stringify(former)}::jsonb,
      ${before['statusId'] as string | null}, ${String(before['tenantId'])})`)
  return undefined
}

/** Who has started the visit and not ended it. */
async function atWork(ctx: Ctx, id: string): Promise<string | undefined> {
  const found = await ctx.sql.maybe<{ name: string }>(sql`
    select ${nameOf('u')} as name from activity_assignment a
      join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" and s."meaning" = 'started'
      join app_user u on u."companyId" = a."companyId" and u."id" = a."userId"
    where a."companyId" = ${ctx.company.id} and a."activityId" = ${id} limit 1`)
  return found?.name
}

interface Gift {
  id: string
  userId: string
  former: { userId: string }[]
  formerStatusId: string | null
  formerTenantId: string
}

/** The agents as they were, each as far as they had come, where nobody has done anything with the activity since. */
async function takeBack(ctx: Ctx, activityId: string): Promise<string | { lost: string }> {
  const now = await getRecord(ctx, activity, activityId)
  const users = agentIds(now)
  const gift = await ctx.sql.maybe<Gift>(sql`
    select g."id", g."userId", g."former", g."formerStatusId", g."formerTenantId" from activity_gift g
      join activity_assignment a on a."companyId" = g."companyId" and a."activityId" = g."activityId" and a."userId" = g."userId"
    where g."companyId" = ${ctx.company.id} and g."activityId" = ${activityId} and g."givenByUserId" = ${ctx.user.id} and g."endedAt" is null
      and g."dateCreated" > now() - make_interval(mins => ${undoMinutes}) and coalesce(a."statusDateCreated" <= g."dateCreated", true)
      and not exists (select 1 from activity_gift later where later."companyId" = g."companyId" and later."activityId" = g."activityId" and later."dateCreated" > g."dateCreated" and later."endedAt" is null)
    order by g."dateCreated" desc limit 1`)
  if (!gift || users.length !== 1 || users[0] !== gift.userId)
    return 'Somebody else has decided on it since, or it was given away too long ago.'
  if ((now['statusId'] ?? null) !== gift.formerStatusId) return `It is ${String(now['status'])} by now: somebody works with it already.`
  await updateRecord(ctx, activity, activityId, { tenantId: gift.formerTenantId })
  await restoreFormer(ctx, activityId, gift)
  return { lost: gift.userId }
}

/** The very rows that were there before, with the status and the visit of each agent. */
async function restoreFormer(ctx: Ctx, activityId: string, { id, userId, former }: Gift): Promise<void> {
  const own = sql`"companyId" = ${ctx.company.id} and "activityId" = ${activityId}`
  await ctx.sql.exec(sql`delete from activity_assignment where ${own}`)
  await ctx.sql.exec(
    sql`insert into activity_assignment select (jsonb_populate_record(null::activity_assignment, row)).* from jsonb_array_elements(${JSON.stringify(former)}::jsonb) row`,
  )
  await ctx.sql.exec(sql`update activity_gift set "endedAt" = now() where ${own} and "id" = ${id}`)
  const assignedUsers = former.map((assignment) => assignment.userId)
  audit(ctx, {
    action: 'activity.assignedUsers',
    objectType: 'activity',
    objectId: activityId,
    before: { assignedUsers: [userId] },
    after: { assignedUsers },
  })
}

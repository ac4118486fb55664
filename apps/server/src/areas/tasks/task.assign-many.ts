import { sql } from '@outpost/platform/db/sql'
import { assigningOf, undoMinutes, type Agent } from '../../kernel/assigning.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { taskNews } from './task.news.ts'
import { openTaskStates, task } from './task.resource.ts'
import { peopleOfTask } from './task.rules.ts'

/** Tasks given away in bulk: each to one person in the place of those who had it; and taken back. */
export const {
  assignees: taskAssignees,
  assignMany,
  undoAssignments,
} = assigningOf({
  words: { one: 'task', many: 'tasks' },
  records: (ctx, ids) => sql`
    select t."id" as "Id", t."status" = any(${openTaskStates}::text[]) as "isOpen",
      array(select a."userId" from task_assignee a where a."companyId" = t."companyId" and a."taskId" = t."id" order by 1) as "holderIds"
    from task t where ${visibleRows(ctx, task)} and t."id" = any(${ids}::uuid[])`,
  loads: (ctx) => sql`
    select a."userId" as id, count(*)::int as open from task t join task_assignee a on a."companyId" = t."companyId" and a."taskId" = t."id"
    where ${visibleRows(ctx, task)} and t."status" = any(${openTaskStates}::text[]) group by 1`,
  give,
  takeBack,
  // Each task notifies its new people itself, with its title.
  tell: async () => undefined,
  tellLost: async (ctx, userId, message) =>
    void (await notify(ctx, { userId, itemType: 'Message', kind: taskNews, message, link: '/tasks' })),
})

async function give(ctx: Ctx, id: string, agent: Agent): Promise<string | undefined> {
  const before = await getRecord(ctx, task, id)
  const former = await peopleOfTask(ctx, id)
  if (former.length === 1 && former[0] === agent.id) return `${agent.name} has this task already.`
  if (!openTaskStates.includes(String(before['status']))) return `It is ${String(before['status'])}: nothing is left to do.`
  const saved = await updateRecord(ctx, task, id, { assignedUsers: [agent.id] })
  await ctx.sql.exec(sql`
    insert into task_gift ("companyId", "id", "tenantId", "taskId", "userId", "givenByUserId", "formerUserIds", "formerTenantId", "taskVersion")
    values (${ctx.company.id}::uuid, uuidv7(), ${String(saved['tenantId'])}::uuid, ${id}::uuid, ${agent.id}::uuid, ${ctx.user.id}::uuid, ${former}::uuid[],
      ${String(before['tenantId'])}::uuid, ${Number(saved['version'])})`)
  return undefined
}

interface Gift {
  id: string
  userId: string
  formerUserIds: string[]
  formerTenantId: string
}

/** Whose it was before, where nobody has done anything with the task since. */
async function takeBack(ctx: Ctx, id: string): Promise<string | { lost: string }> {
  const now = await getRecord(ctx, task, id)
  const gift = await ctx.sql.maybe<Gift>(sql`
    select "id", "userId", "formerUserIds", "formerTenantId" from task_gift
    where "companyId" = ${ctx.company.id}::uuid and "taskId" = ${id}::uuid and "givenByUserId" = ${ctx.user.id}::uuid and "endedAt" is null
      and "dateCreated" > now() - make_interval(mins => ${undoMinutes}) and "taskVersion" = ${Number(now['version'])}
    order by "dateCreated" desc, "id" desc limit 1`)
  if (!gift) return 'Somebody has worked with it since, or it was given away too long ago.'
  await updateRecord(ctx, task, id, { assignedUsers: gift.formerUserIds, tenantId: gift.formerTenantId })
  await ctx.sql.exec(sql`update task_gift set "endedAt" = now() where "companyId" = ${ctx.company.id}::uuid and "id" = ${gift.id}::uuid`)
  return { lost: gift.userId }
}

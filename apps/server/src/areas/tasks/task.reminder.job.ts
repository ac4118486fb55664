import { sql } from '@outpost/platform/db/sql'
import { notify } from '../../kernel/realtime/notify.ts'
import { updateRecord } from '../../kernel/resource/records.ts'
import type { JobDefinition } from '../../kernel/types.ts'
import { taskNews } from './task.news.ts'
import { reminderName } from './task.reminder.ts'
import { task } from './task.resource.ts'

interface Due {
  title: string
  number: number
  people: string[]
}

/** Reminds the people of a task once for each moment; not of one that is over, gone, or to be reminded of at another time by now. */
export const reminderJob: JobDefinition = {
  name: reminderName,
  run: async (ctx, { taskId, at }) => {
    const due = await ctx.sql.maybe<Due & Record<string, unknown>>(sql`
      select t."title", t."number", array(select a."userId" from task_assignee a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" and u."status" = 1 and u."deletedAt" is null
        where a."companyId" = t."companyId" and a."taskId" = t."id" order by 1) as people
      from task t where t."companyId" = ${ctx.company.id}::uuid and t."id" = ${String(taskId)}::uuid and t."deletedAt" is null and t."status" in ('Open', 'In progress')
        and t."remindAt" = ${String(at)}::timestamptz and t."remindedAt" is distinct from t."remindAt" for update of t`)
    if (!due) return
    await updateRecord(ctx, task, String(taskId), { remindedAt: new Date(String(at)) })
    for (const userId of due.people)
      await notify(ctx, {
        userId,
        itemType: 'Message',
        kind: taskNews,
        itemId: String(taskId),
        message: `Reminder: ${due.title}`,
        link: `/tasks/view/${String(taskId)}`,
      })
  },
}

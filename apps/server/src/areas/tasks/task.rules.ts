import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { notify } from '../../kernel/realtime/notify.ts'
import { commonTenant, workingHere } from '../../kernel/session/common-tenant.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { taskNews } from './task.news.ts'
import { planReminder } from './task.reminder.ts'

type TaskRow = ModelRow<'task'> & { assignedUsers?: string[] }
type TaskWrite = PrepareWrite<TaskRow>

const refuse = (field: string, message: string): never => fail('INVALID', { fields: [{ field, message }] })

/** Whose a task is and where it is filed, when it was completed, and when its people are told of it. */
export async function prepareTask(ctx: Ctx, write: TaskWrite): Promise<Partial<TaskRow>> {
  const { kind, input, before, id, isSync } = write
  if (kind === 'remove') return {}
  const remindAt = changedReminder(write)
  // What a device sends late is told at once.
  if (remindAt && remindAt.getTime() < Date.now() && !isSync) refuse('remindAt', 'lies in the past')
  const people = await peopleOf(ctx, write)
  if (remindAt) await planReminder(ctx, { taskId: id, at: remindAt })
  await tellNewOnes(ctx, write, people.assignedUsers ?? [])
  return { ...people, ...completion(input.status, before?.status) }
}

function changedReminder({ input: { remindAt }, before }: TaskWrite): Date | undefined {
  return remindAt && remindAt.getTime() !== before?.remindAt?.getTime() ? remindAt : undefined
}

/** The moment at which it was done; none once it is open again. */
function completion(status: string | undefined, former: string | undefined): Partial<TaskRow> {
  if (status === undefined || status === former) return {}
  return { completedAt: status === 'Done' ? new Date() : null }
}

/** Whose it is: without a choice of whoever made it. It is filed where all of them see it. */
async function peopleOf(ctx: Ctx, { kind, input, before }: TaskWrite): Promise<Pick<TaskRow, 'assignedUsers'> & Partial<TaskRow>> {
  const given = input.assignedUsers ?? (kind === 'create' ? [] : undefined)
  if (!given) return {}
  const held = before?.assignedUsers ?? []
  await refuseUsersBeyondReach(
    ctx,
    given.filter((id) => !held.includes(id.toLowerCase())),
    'assignedUsers',
  )
  const assignedUsers = given.length > 0 ? given : await workingHere(ctx, [before?.createdByUserId ?? ctx.user.id])
  const tenantId = input.tenantId ?? before?.tenantId ?? ctx.tenant.id
  const home = await commonTenant(ctx, tenantId, assignedUsers)
  if (home === undefined) return refuse('assignedUsers', 'work in tenants that see nothing in common: give a task to each')
  return { assignedUsers, ...(home === tenantId ? {} : { tenantId: home }) }
}

/** Tells those who did not have it before. */
async function tellNewOnes(ctx: Ctx, { id, input, before }: TaskWrite, people: readonly string[]): Promise<void> {
  const held = before?.assignedUsers ?? []
  for (const userId of people.filter((one) => one !== ctx.user.id && !held.includes(one.toLowerCase())))
    await notify(ctx, {
      userId,
      itemType: 'Message',
      kind: taskNews,
      itemId: id,
      message: `${ctx.user.firstName} gave you the task “${input.title ?? before?.title ?? ''}”`,
      link: `/tasks/view/${id}`,
    })
}

/** The people of tasks, by task. */
export async function peopleOfTask(ctx: Ctx, taskId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ userId: string }>(
    sql`select "userId" from task_assignee where "companyId" = ${ctx.company.id}::uuid and "taskId" = ${taskId}::uuid order by "userId"`,
  )
  return rows.map(({ userId }) => userId)
}

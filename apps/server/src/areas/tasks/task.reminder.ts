import { enqueue } from '@outpost/platform/outbox'
import type { Ctx } from '../../kernel/types.ts'

/** Name of the job that reminds the people of a task. */
export const reminderName = 'tasks.remind'

/** Sees to it that the people of a task are told at a moment. What is planned is a row: a restart loses none. */
export async function planReminder(ctx: Ctx, { taskId, at }: { taskId: string; at: Date }): Promise<void> {
  await enqueue(ctx.sql, {
    companyId: ctx.company.id,
    userId: null,
    type: reminderName,
    payload: { taskId, at: at.toISOString() },
    runAt: at,
  })
}

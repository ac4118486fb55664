import { updateRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { task } from './task.resource.ts'
import { peopleOfTask } from './task.rules.ts'

/** Gives one person's part of a task to another; `keep` leaves it with the former one too, where it was theirs already. */
export async function handOverTask(
  ctx: Ctx,
  id: string,
  { from, to, keep = false }: { from: string; to: string; keep?: boolean },
): Promise<{ isShared: boolean }> {
  const people = await peopleOfTask(ctx, id)
  const isShared = people.includes(to)
  await updateRecord(ctx, task, id, { assignedUsers: [...new Set([...people.filter((one) => keep || one !== from), to])] })
  return { isShared }
}

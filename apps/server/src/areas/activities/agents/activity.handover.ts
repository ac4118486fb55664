import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { activity } from '../activity.resource.ts'
import { agentIds } from './activity.agents.ts'

/** Gives one agent's part in an activity to another one; false when nothing was to be given. With `keep` the first one stays, too. */
export function handOver(
  ctx: Ctx,
  id: string,
  { from, to, keep = false }: { from: string; to: string; keep?: boolean },
): Promise<{ isShared: boolean }> {
  return withStream(ctx, async (inner) => {
    const users = agentIds(await getRecord(inner, activity, id))
    const assignedUsers = [...new Set([...users.filter((one) => keep || one !== from), to])]
    await updateRecord(inner, activity, id, { assignedUsers })
    return { isShared: users.includes(to) }
  })
}

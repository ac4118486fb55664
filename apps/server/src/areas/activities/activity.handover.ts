import { withStream } from '../../kernel/sync/stream.ts'
import type { Ctx } from '../../kernel/types.ts'
import { linksOf, setLinks } from './activity.links.ts'
import { touch } from './activity.touch.ts'

/** Gives one agent's part in an activity to another one; false when nothing was to be given. With `keep` the first one stays, too. */
export function handOver(
  ctx: Ctx,
  id: string,
  { from, to, keep = false }: { from: string; to: string; keep?: boolean },
): Promise<{ isShared: boolean }> {
  return withStream(ctx, async (inner) => {
    const { users } = await linksOf(inner, id)
    const isShared = users.includes(to)
    await setLinks(inner, id, { users: [...new Set([...users.filter((one) => keep || one !== from), to])] }, { isQuiet: true })
    await touch(inner, id)
    return { isShared }
  })
}

import { sql } from '@outpost/platform/db/sql'
import type { Ctx, JobDefinition } from '../types.ts'
import { doOnce, finishMessages } from './store.ts'
import { isRefusal, type Together } from './together.ts'

interface Left {
  id: string
  body: Buffer
  connectionId: string
}
interface Finishing {
  /** Does a stored message, from its bytes. */
  finish(ctx: Ctx, stored: Left): Promise<void>
}
const doors = new Map<string, Finishing>()

/** Says how stored messages of a door are done from their bytes, by the job that looks for what was left. */
export function finishLater<Message>(door: Together<Message>, read: (raw: Buffer, connectionId: string) => Message): void {
  doors.set(door.provider, {
    finish: async (ctx, { id, body, connectionId }) => void (await doOnce(ctx, id, read(body, connectionId), door.runAll)),
  })
}

/** Messages that wait longer than this are not under way any more. */
const [underWay, tooOld, most] = ['5 seconds', '1 day', 200]

/**
 * Does what was stored and not done: the program ended in between, or the database had no time. What is refused for what it says stays as it is, its reason with
 * it; what else goes wrong is tried again by the queue, and shown among the failed jobs in the end.
 */
export const finishJob: JobDefinition<{ provider: string }> = {
  name: finishMessages,
  ownTransaction: true,
  run: async (ctx, { provider }) => {
    const door = doors.get(provider)
    if (!door) return
    const failures: unknown[] = []
    let last: string | null = null
    for (;;) {
      const left = await leftAfter(ctx, provider, last)
      for (const one of left) {
        try {
          await door.finish(ctx, one)
        } catch (error) {
          if (!isRefusal(error)) failures.push(error)
        }
      }
      last = left.at(-1)?.id ?? null
      if (left.length < most) break
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} messages cannot be done`)
  },
}

/** The next of them, in the order they came. What was refused is still among them, so each run goes on where it was. */
function leftAfter(ctx: Ctx, provider: string, last: string | null): Promise<Left[]> {
  return ctx.sql.query<Left & Record<string, unknown>>(sql`
    select "id", "body", "connectionId" from provider_message where "companyId" = ${ctx.company.id}::uuid and "provider" = ${provider} and "doneAt" is null
      and "dateReceived" between now() - ${tooOld}::interval and now() - ${underWay}::interval and (${last}::uuid is null or "id" > ${last}::uuid)
    order by "id" limit ${most}`)
}

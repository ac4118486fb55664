import { sql } from '@outpost/platform/db/sql'
import type { Ctx, FinishMessage, JobDefinition, StoredMessage } from '../types.ts'
import { doOnce, finishMessages } from './store.ts'
import { isRefusal, type BatchedDoor } from './batches.ts'

/** How a stored message of a door is done from its bytes, by the job that looks for what was left. */
export const finishing =
  <Message>(door: BatchedDoor<Message>, read: (raw: Buffer, connectionId: string) => Message): FinishMessage =>
  async (ctx, { id, body, connectionId }) =>
    void (await doOnce(ctx, id, read(body, connectionId), door.runAll))

/** Messages that wait longer than this are not under way any more. */
const [underWay, tooOld, most] = ['5 seconds', '1 day', 200]

/**
 * Does what was stored and not done: the program ended in between, or the database had no time. What is refused for what it says stays as it is, its reason with
 * it; what else goes wrong is tried again by the queue, and shown among the failed jobs in the end.
 */
export const finishJob = (doors: ReadonlyMap<string, FinishMessage>): JobDefinition<{ provider: string }> => ({
  name: finishMessages,
  ownTransaction: true,
  run: async (ctx, { provider }) => {
    const finish = doors.get(provider)
    if (!finish) return
    const failures: unknown[] = []
    let last: string | null = null
    for (;;) {
      const left = await leftAfter(ctx, provider, last)
      for (const one of left) {
        try {
          await finish(ctx, one)
        } catch (error) {
          if (!isRefusal(error)) failures.push(error)
        }
      }
      last = left.at(-1)?.id ?? null
      if (left.length < most) break
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} messages cannot be done`)
  },
})

/** The next of them, in the order they came. What was refused is still among them, so each run goes on where it was. */
function leftAfter(ctx: Ctx, provider: string, last: string | null): Promise<StoredMessage[]> {
  return ctx.sql.query<StoredMessage & Record<string, unknown>>(sql`
    select "id", "body", "connectionId" from provider_message where "companyId" = ${ctx.company.id}::uuid and "provider" = ${provider} and "doneAt" is null
      and "dateReceived" between now() - ${tooOld}::interval and now() - ${underWay}::interval and (${last}::uuid is null or "id" > ${last}::uuid)
    order by "id" limit ${most}`)
}

import { sql } from '@outpost/platform/db/sql'
import type { OutboxEntry, OutboxTicket } from '@outpost/platform/outbox'
import type { JobDefinition } from './types.ts'

type Definitions = ReadonlyMap<string, JobDefinition>

const type = 'jobs.dead'

/** The job that ends what a dead one was about; undefined when that one has nothing to end. */
export function endingOf(definitions: Definitions, { companyId, id, type: died }: OutboxTicket): OutboxEntry | undefined {
  return definitions.get(died)?.whenDead && { companyId, userId: null, type, payload: { outboxId: id } }
}

interface DeadRow {
  type: string
  payload: Record<string, unknown>
  userId: string | null
  lastError: string | null
}

/** Runs whenDead of the job that died, unless somebody has asked for new tries meanwhile. */
export function deadJob(definitions: Definitions): JobDefinition {
  return {
    name: type,
    run: async (ctx, { outboxId }) => {
      const id = String(outboxId)
      const dead = await ctx.sql.maybe<DeadRow>(sql`
        select "type", "payload", "userId", "lastError" from outbox
        where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "status" = 'dead' for update`)
      if (dead)
        await definitions.get(dead.type)?.whenDead?.(ctx, dead.payload, { id, userId: dead.userId, lastError: dead.lastError ?? '' })
    },
  }
}

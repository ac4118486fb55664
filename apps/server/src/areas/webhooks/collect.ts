import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import type { RecordEvent } from '../../kernel/types/record-event.ts'
import type { Ctx } from '../../kernel/types.ts'

/** The job that sends one delivery. */
export const sendJob = 'webhooks.send'

/**
 * Files a delivery of each happening for each webhook that asked for it, in the transaction that writes the record. One that is
 * paused collects too; one that was switched off does not.
 */
export async function collect(ctx: Ctx, events: readonly RecordEvent[]): Promise<void> {
  const made = await ctx.sql.query<{ id: string }>(sql`
    insert into webhook_delivery ("companyId", "id", "webhookId", "event", "objectId", "tenantIds", "move")
    select h."companyId", uuidv7(), h."id", e."event", e."objectId", e."tenantIds", e."move"
    from rows from (jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as ("event" text, "objectId" uuid, "tenantIds" uuid[], "move" jsonb, "hiddenFrom" uuid[]))
        with ordinality e("event", "objectId", "tenantIds", "move", "hiddenFrom", place)
      join webhook h on h."companyId" = ${ctx.company.id}::uuid and h."deletedAt" is null and h."stoppedReason" is null and e."event" = any(h."events") and h."ownerUserId" <> all(e."hiddenFrom")
    order by e.place, h."id" returning "id"`)
  await queueDeliveries(
    ctx,
    made.map(({ id }) => id),
  )
}

/** Lets deliveries be sent, at once or at their time. */
export async function queueDeliveries(ctx: Ctx, ids: readonly string[], runAt?: Date): Promise<void> {
  await enqueue(
    ctx.sql,
    ids.map((deliveryId) => ({
      companyId: ctx.company.id,
      userId: null,
      type: sendJob,
      payload: { deliveryId },
      ...(runAt ? { runAt } : {}),
    })),
  )
}

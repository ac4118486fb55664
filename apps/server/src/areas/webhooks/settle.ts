import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'
import { queueDeliveries } from './collect.ts'
import { stopWebhook, notifyAdministrators } from './stop.ts'

/** What a try came to. */
export type Outcome =
  | { kind: 'sent'; statusCode: number; durationMs: number }
  | { kind: 'failed'; statusCode: number | null; durationMs: number; error: string }
  | { kind: 'skipped'; error: string }
  | { kind: 'stop'; error: string }

interface Settled {
  id: string
  webhookId: string
  objectId: string
}

/** Seconds until each further try: about a day in all. */
export const retrySeconds = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]
/** A webhook that fails for so long is switched off. */
const patienceDays = 3
const keptDays = 30

/** Writes down how a try ended, and lets the next one begin: of this delivery, or of the next one of its record. */
export async function settle(ctx: Ctx, delivery: Settled, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'stop') {
    await release(ctx, delivery, outcome.error)
    return stopWebhook(ctx, delivery.webhookId, outcome.error)
  }
  if (outcome.kind !== 'skipped') await keepTry(ctx, delivery, outcome)
  if (outcome.kind === 'failed') return settleFailed(ctx, delivery, outcome)
  await end(ctx, delivery, { status: outcome.kind, error: outcome.kind === 'skipped' ? outcome.error : null })
  if (outcome.kind === 'sent')
    await ctx.sql.exec(sql`
      update webhook set "failingSince" = null where "companyId" = ${ctx.company.id}::uuid and "id" = ${delivery.webhookId}::uuid and "failingSince" is not null`)
}

async function settleFailed(ctx: Ctx, delivery: Settled, { statusCode, error }: Outcome & { kind: 'failed' }): Promise<void> {
  const { name, isTired } = await ctx.sql.one<{ name: string; isTired: boolean }>(sql`
    update webhook set "failingSince" = coalesce("failingSince", now()) where "companyId" = ${ctx.company.id}::uuid and "id" = ${delivery.webhookId}::uuid
    returning "name", "failingSince" < now() - make_interval(days => ${patienceDays}) as "isTired"`)
  const { attempts } = await ctx.sql.one<{ attempts: number }>(
    sql`select "attempts" from webhook_delivery where "companyId" = ${ctx.company.id}::uuid and "id" = ${delivery.id}::uuid`,
  )
  const wait = retrySeconds[attempts - 1]
  if (wait === undefined) {
    await end(ctx, delivery, { status: 'failed', error })
    await notifyAdministrators(ctx, {
      id: delivery.webhookId,
      message: `The webhook ${name} could not be sent a message for a day: ${error}`,
    })
  } else await again(ctx, delivery, { wait, error })
  if (statusCode === 410) return stopWebhook(ctx, delivery.webhookId, 'The other system answered that nobody listens there any more (410)')
  if (isTired) await stopWebhook(ctx, delivery.webhookId, `It failed for ${patienceDays} days: ${error}`)
}

/** With a fifth more or less, so that what failed together does not come back together. */
async function again(ctx: Ctx, { id }: Settled, { wait, error }: { wait: number; error: string }): Promise<void> {
  const nextAt = new Date(Date.now() + wait * 1_000 * (0.8 + Math.random() * 0.4))
  await ctx.sql.exec(sql`
    update webhook_delivery set "nextAt" = ${nextAt}, "lastError" = ${error}, "claimedBy" = null where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  await queueDeliveries(ctx, [id], nextAt)
}

async function keepTry(ctx: Ctx, { id, webhookId }: Settled, outcome: Outcome & { kind: 'sent' | 'failed' }): Promise<void> {
  const { statusCode, durationMs } = outcome
  const error = outcome.kind === 'failed' ? outcome.error : null
  await ctx.sql.exec(sql`
    insert into webhook_attempt ("companyId", "id", "webhookId", "deliveryId", "statusCode", "durationMs", "error")
    values (${ctx.company.id}::uuid, uuidv7(), ${webhookId}::uuid, ${id}::uuid, ${statusCode}, ${durationMs}, ${error})`)
  await ctx.sql.exec(sql`
    update webhook_delivery set "attempts" = "attempts" + 1, "statusCode" = ${statusCode}, "durationMs" = ${durationMs}, "lastError" = ${error}
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
}

/** Ends a delivery; then the next one of its record has its turn, and old ones are forgotten. */
async function end(
  ctx: Ctx,
  { id, webhookId, objectId }: Settled,
  { status, error }: { status: string; error: string | null },
): Promise<void> {
  await ctx.sql.exec(sql`
    update webhook_delivery set "status" = ${status}, "lastError" = ${error}, "claimedBy" = null, "doneAt" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  const next = await ctx.sql.query<{ id: string }>(sql`
    select "id" from webhook_delivery where "companyId" = ${ctx.company.id}::uuid and "webhookId" = ${webhookId}::uuid and "objectId" = ${objectId}::uuid
      and "status" = 'waiting' and "nextAt" <= now() order by "position" limit 1`)
  await queueDeliveries(
    ctx,
    next.map((one) => one.id),
  )
  await forget(ctx, webhookId)
}

async function release(ctx: Ctx, { id }: Settled, error: string): Promise<void> {
  await ctx.sql.exec(sql`
    update webhook_delivery set "claimedBy" = null, "lastError" = ${error} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
}

/** Removes some of what ended long ago, and of what waited too long while nobody resumed the webhook. */
async function forget(ctx: Ctx, webhookId: string): Promise<void> {
  await ctx.sql.exec(sql`
    with old as (delete from webhook_delivery where "companyId" = ${ctx.company.id}::uuid and "id" in (
      select "id" from webhook_delivery where "companyId" = ${ctx.company.id}::uuid and "webhookId" = ${webhookId}::uuid
        and "dateCreated" < now() - make_interval(days => ${keptDays}) order by "position" limit 100 for update skip locked) returning "id")
    delete from webhook_attempt where "companyId" = ${ctx.company.id}::uuid and "deliveryId" in (select "id" from old)`)
}

import { fail } from '@outpost/contract/errors'
import { identifierSchema, numberOr } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, AnyResource, Ctx } from '../../kernel/types.ts'
import { queueDeliveries } from './collect.ts'
import { testEvent } from './message.ts'
import { makeSecret, sealSecret } from './secret.ts'

const shown = 200

export const newSecretInput = z.strictObject({ id: idSchema, overlapHours: numberOr(z.int().min(0).max(168), 24) })
/** The whole secret, shown this once. */
export const newSecretAnswer = z.strictObject({ secret: z.string() })
export const queuedAnswer = z.strictObject({ ids: z.array(identifierSchema) })

const status = z.enum(['waiting', 'sent', 'failed', 'skipped'])
export const deliveriesAnswer = z.strictObject({
  deliveries: z.array(
    z.strictObject({
      Id: identifierSchema,
      event: z.string(),
      recordId: identifierSchema.nullable(),
      status,
      attempts: z.int(),
      statusCode: z.int().nullable(),
      durationMs: z.int().nullable(),
      lastError: z.string().nullable(),
      dateCreated: z.iso.datetime(),
      nextAt: z.iso.datetime().nullable(),
    }),
  ),
})
export const attemptsAnswer = z.strictObject({
  attempts: z.array(
    z.strictObject({
      Id: identifierSchema,
      deliveryId: identifierSchema,
      event: z.string(),
      at: z.iso.datetime(),
      statusCode: z.int().nullable(),
      durationMs: z.int(),
      error: z.string().nullable(),
    }),
  ),
})

type IdInput = { id: string }

const ofWebhook = (ctx: Ctx, id: string) => sql`"companyId" = ${ctx.company.id}::uuid and "webhookId" = ${id}::uuid`

/** Finds a webhook that the caller sees, and locks it. */
async function hold(ctx: Ctx, webhook: AnyResource, id: string): Promise<{ isTold: boolean }> {
  await getRecord(ctx, webhook, id)
  const row = await ctx.sql.maybe<{ isTold: boolean }>(
    sql`select "secretToldAt" is not null as "isTold" from webhook where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for no key update`,
  )
  return row ?? fail('NOT_FOUND')
}

/** Deliveries, the newest first; never what was in them, and no id of a record that the owner may not see. */
export const deliveries =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    await getRecord(ctx, webhook, id)
    const rows = await ctx.sql.query(sql`
    select "id" as "Id", "event", case when "status" <> 'skipped' then "objectId" end as "recordId", "status", "attempts", "statusCode", "durationMs", "lastError",
      "dateCreated", case when "status" = 'waiting' then "nextAt" end as "nextAt"
    from webhook_delivery where ${ofWebhook(ctx, id)} order by "position" desc limit ${shown}`)
    return { data: { deliveries: rows } }
  }

export const attempts =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    await getRecord(ctx, webhook, id)
    const rows = await ctx.sql.query(sql`
    select a."id" as "Id", a."deliveryId", d."event", a."at", a."statusCode", a."durationMs", a."error"
    from webhook_attempt a join webhook_delivery d on d."companyId" = a."companyId" and d."id" = a."deliveryId"
    where a."companyId" = ${ctx.company.id}::uuid and a."webhookId" = ${id}::uuid order by a."at" desc, a."id" desc limit ${shown}`)
    return { data: { attempts: rows } }
  }

/** A new secret; messages are signed with the old one too for `overlapHours`, unless nobody was ever shown it. */
export const newSecret =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id, overlapHours }: z.infer<typeof newSecretInput>): Promise<Answer> => {
    const { isTold } = await hold(ctx, webhook, id)
    const secret = makeSecret()
    const hours = isTold ? overlapHours : 0
    await ctx.sql.exec(sql`
    update webhook set "formerSecret" = case when ${hours}::int > 0 then "secret" end, "formerUntil" = case when ${hours}::int > 0 then now() + make_interval(hours => ${hours}) end,
      "secret" = ${sealSecret(id, secret)}, "secretToldAt" = now(), "version" = "version" + 1, "dateModified" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
    note(ctx, id, 'webhook.secret', { overlapHours: hours })
    return {
      data: { secret },
      message: hours === 0 ? 'Secret made' : `Secret replaced; messages carry the old signature for ${hours} more hours`,
    }
  }

export const test =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    await hold(ctx, webhook, id)
    const made = await ctx.sql.query<{ id: string }>(sql`
    insert into webhook_delivery ("companyId", "id", "webhookId", "event", "objectId") values (${ctx.company.id}::uuid, uuidv7(), ${id}::uuid, ${testEvent}, uuidv7()) returning "id"`)
    return queued(ctx, made, 'The test is on its way')
  }

export const pause =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    await hold(ctx, webhook, id)
    await ctx.sql.exec(sql`
    update webhook set "isActive" = false, "version" = "version" + 1, "dateModified" = now() where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
    note(ctx, id, 'webhook.pause')
    return { data: {}, message: 'Paused: what happens is kept for 30 days, and sent when you resume' }
  }

export const resume =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    await hold(ctx, webhook, id)
    await ctx.sql.exec(sql`
    update webhook set "isActive" = true, "stoppedReason" = null, "failingSince" = null, "version" = "version" + 1, "dateModified" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
    const waiting = await ctx.sql.query<{ id: string }>(
      sql`update webhook_delivery set "nextAt" = now() where ${ofWebhook(ctx, id)} and "status" = 'waiting' returning "id"`,
    )
    note(ctx, id, 'webhook.resume')
    await queueDeliveries(ctx, idsOf(waiting))
    return { data: {}, message: 'Resumed' }
  }

/** Sends a delivery once more, with the same id, by which the other system knows it again. */
export const replay =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    const found = await ctx.sql.maybe<{ webhookId: string }>(
      sql`select "webhookId" from webhook_delivery where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
    )
    const { webhookId } = found ?? fail('NOT_FOUND')
    await hold(ctx, webhook, webhookId)
    const again = await ctx.sql.query<{ id: string }>(sql`
    update webhook_delivery set "attempts" = case when "status" = 'waiting' then "attempts" else 0 end, "status" = 'waiting', "nextAt" = now(), "doneAt" = null
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid returning "id"`)
    note(ctx, webhookId, 'webhook.replay', { deliveryId: id })
    return queued(ctx, again, 'It is sent again')
  }

export const replayFailed =
  (webhook: AnyResource) =>
  async (ctx: Ctx, { id }: IdInput): Promise<Answer> => {
    await hold(ctx, webhook, id)
    const again = await ctx.sql.query<{ id: string }>(sql`
    update webhook_delivery set "status" = 'waiting', "attempts" = 0, "nextAt" = now(), "doneAt" = null where "companyId" = ${ctx.company.id}::uuid and "id" in (
      select "id" from webhook_delivery where ${ofWebhook(ctx, id)} and "status" = 'failed' order by "position" limit 1000) returning "id"`)
    note(ctx, id, 'webhook.replay', { count: again.length })
    return queued(ctx, again, again.length === 0 ? 'Nothing has failed' : 'They are sent again')
  }

function note(ctx: Ctx, objectId: string, action: string, after: Record<string, unknown> = {}): void {
  audit(ctx, { action, objectType: 'webhook', objectId, after })
  announce(ctx, { one: 'webhook' }, [objectId], 'updated')
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

async function queued(ctx: Ctx, rows: readonly { id: string }[], message: string): Promise<Answer> {
  const ids = idsOf(rows)
  await queueDeliveries(ctx, ids)
  return { data: { ids }, message }
}

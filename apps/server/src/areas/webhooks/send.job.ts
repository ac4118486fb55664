import { sql } from '@outpost/platform/db/sql'
import type { Outgoing } from '@outpost/platform/outgoing'
import { postWebhook } from '@outpost/platform/post-webhook'
import type { JobDefinition } from '../../kernel/types.ts'
import { claim, type Claimed } from './claim.ts'
import { sendJob } from './collect.ts'
import type { Offers } from './events.ts'
import { messageOf } from './message.ts'
import { openSecret, signedHeaders } from './secret.ts'
import { settle, type Outcome } from './settle.ts'

/** Sends one delivery: the transaction that takes it, the call, and the transaction that says how it ended. */
export function sendDelivery({ offers, outgoing }: { offers: Offers; outgoing: Outgoing }): JobDefinition<{ deliveryId: string }> {
  return {
    name: sendJob,
    ownTransaction: true,
    isOutgoing: true,
    run: async (ctx, { deliveryId }, { id: jobId }) => {
      const claimed = await ctx.transaction((inner) => claim(inner, deliveryId, jobId))
      if (!claimed) return
      const message = await messageOf(ctx, claimed, offers)
      const outcome: Outcome =
        'body' in message
          ? await post(outgoing, claimed, message.body)
          : 'stop' in message
            ? { kind: 'stop', error: message.stop }
            : { kind: 'skipped', error: message.skipped }
      await ctx.transaction((inner) => settle(inner, claimed, outcome))
    },
    // Lost workers are no fault of the other system: it is tried on.
    whenDead: async (ctx, { deliveryId }, { lastError }) => {
      const waiting = await ctx.sql.maybe<{ id: string; webhookId: string; objectId: string }>(sql`
        select "id", "webhookId", "objectId" from webhook_delivery
        where "companyId" = ${ctx.company.id}::uuid and "id" = ${deliveryId}::uuid and "status" = 'waiting' for update`)
      if (waiting) await settle(ctx, waiting, { kind: 'failed', statusCode: null, durationMs: 0, error: lastError.slice(0, 300) })
    },
  }
}

async function post(outgoing: Outgoing, { id, webhookId, url, secret, formerSecret }: Claimed, body: string): Promise<Outcome> {
  const secrets = [secret, ...(formerSecret ? [formerSecret] : [])].map((sealed) => openSecret(webhookId, sealed))
  const headers = signedHeaders({ id, timestamp: Math.floor(Date.now() / 1_000), body }, secrets)
  const begun = performance.now()
  const answer = await postWebhook(outgoing, { url, headers, body })
  const durationMs = Math.round(performance.now() - begun)
  if ('error' in answer) return { kind: 'failed', statusCode: null, durationMs, error: answer.error }
  const { statusCode } = answer
  if (statusCode >= 200 && statusCode < 300) return { kind: 'sent', statusCode, durationMs }
  return { kind: 'failed', statusCode, durationMs, error: `It answered ${statusCode}` }
}

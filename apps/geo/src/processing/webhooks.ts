import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import { openOutgoing } from '@outpost/platform/outgoing'
import { postWebhook } from '@outpost/platform/post-webhook'
import type { DbContext } from '@outpost/platform/types'
import { signWebhook } from '../rules/webhook.ts'

export interface WebhookOptions {
  pools: GeoPools
  log: Log
  /** Hosts in the operator's own network that may be called nevertheless. */
  hosts?: readonly string[]
}

interface Due {
  id: string
  attempts: number
  url: string
  secret: string | null
  body: string
}

const maxAttempts = 8
/** While a call runs, no other process repeats it. */
const lease = '1 minute'

/** Sends due webhooks once per pass: signed, retried after 10 s, 20 s, 40 s ... up to eight times, with the last response stored. */
export function createWebhooks({ pools, log, hosts = [] }: WebhookOptions): { pass(): Promise<number>; close(): Promise<void> } {
  const outgoing = openOutgoing({ reach: 'public', hosts, limitMs: 10_000, maxResponseSize: 64_000 })
  return {
    async pass() {
      const { rows } = await pools.ingest.query<{ companyId: string }>(
        `select distinct "companyId" from geo.reaction where "type" = 'webhook' and "state" = 'waiting' and "nextAt" <= now() limit 100`,
      )
      const calls = await Promise.all(rows.map(({ companyId }) => sendOf(companyId)))
      return calls.reduce((sum, count) => sum + count, 0)
    },
    close: () => outgoing.close(),
  }

  async function sendOf(companyId: string): Promise<number> {
    const context: DbContext = { company: companyId, scope: '*', user: null, tenant: null }
    const due = await transactionIn(pools.geo, context, (db) => db.query<Due>(takeStatement(companyId)))
    await Promise.all(
      due.map(async (call) => {
        const result = await send(call).catch((error: unknown) => ({
          isDone: false,
          words: error instanceof Error ? error.message : String(error),
        }))
        const isOver = result.isDone || call.attempts >= maxAttempts
        if (!result.isDone) log.warn({ reactionId: call.id, attempts: call.attempts, reason: result.words }, 'webhook failed')
        await transactionIn(pools.geo, context, (db) =>
          db.exec(sql`
        update geo.reaction set "state" = ${result.isDone ? 'done' : isOver ? 'failed' : 'waiting'}, "result" = ${result.words.slice(0, 500)}, "endedAt" = ${isOver ? new Date() : null},
          "nextAt" = now() + make_interval(secs => ${5 * 2 ** call.attempts}) where "companyId" = ${companyId} and "id" = ${call.id}`),
        )
      }),
    )
    return due.length
  }

  async function send({ id, url, secret, body }: Due): Promise<{ isDone: boolean; words: string }> {
    const headers =
      secret === null ? { 'content-type': 'application/json', 'x-outpost-id': id } : signWebhook({ body, secret, id, now: Date.now() })
    const answer = await postWebhook(outgoing, { url, headers, body })
    if ('error' in answer) return { isDone: false, words: answer.error }
    return { isDone: answer.statusCode >= 200 && answer.statusCode < 300, words: `Answered ${answer.statusCode}` }
  }
}

/** Sends webhooks every second until it is stopped; stopping waits for running calls. */
export function startWebhooks(options: WebhookOptions): { stop(): Promise<void> } {
  const webhooks = createWebhooks(options)
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= webhooks
      .pass()
      .catch((error: unknown) => options.log.warn({ err: error }, 'webhooks wait'))
      .finally(() => {
        running = null
      })
  }, 1_000)
  return {
    async stop() {
      clearInterval(timer)
      await running
      await webhooks.close()
    },
  }
}

/** Claims the due webhooks of a company, so that no other process sends them. */
const takeStatement = (companyId: string) => sql`
  with taken as (
    update geo.reaction set "attempts" = "attempts" + 1, "nextAt" = now() + ${lease}::interval
    where "companyId" = ${companyId} and "id" in (select r."id" from geo.reaction r where r."companyId" = ${companyId} and r."type" = 'webhook' and r."state" = 'waiting' and r."nextAt" <= now()
      order by r."nextAt" limit 20 for update skip locked)
    returning "id", "attempts", "eventId", "eventActionId")
  select t."id", t."attempts", a."parameters"->>'url' as "url", a."parameters"->>'secret' as "secret",
    json_build_object('id', t."id", 'event', json_build_object('id', e."id", 'type', e."type", 'eventTime', to_char(e."eventTime" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'severity', e."severity",
      'latitude', e."latitude", 'longitude', e."longitude", 'speed', e."speed", 'geofenceId', e."geofenceId", 'eventIoId', e."eventIoId", 'attributes', e."attributes"),
      'device', json_build_object('id', d."id", 'name', d."name", 'uniqueId', d."uniqueId"))::text as "body"
  from taken t join geo.event e on e."companyId" = ${companyId} and e."id" = t."eventId"
  join geo.device d on d."companyId" = ${companyId} and d."id" = e."deviceId"
  join geo.event_action a on a."companyId" = ${companyId} and a."id" = t."eventActionId"`

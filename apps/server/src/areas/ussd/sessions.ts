import { randomUUIDv7 } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { fail } from '@outpost/contract/errors'
import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { formatsOf } from '../../kernel/settings/look.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { begin, isSecret, step, type Place, type Port, type Reply } from './machine.ts'
import type { Menu } from './menu.items.ts'
import { menuInForce, menuOf } from './menu.resource.ts'
import { clientOf, portOf } from './port.ts'

/** What the gateway says at each hop. `text` holds all inputs of the session, joined by stars. */
export interface Dialled {
  sessionId: string
  serviceCode: string
  msisdn: string
  network: string
  text: string
}
interface Row {
  id: string
  msisdn: string
  menuId: string | null
  place: Place | null
  tokens: number
  hops: number
}

const expireJob = 'ussd.expire'
/** A gateway ends a session after some minutes; one without a reported end is over then. */
const longestMinutes = 10

/** Words joined by stars; none at the first hop. */
export const tokensOf = (text: string): string[] => (text === '' ? [] : text.split('*'))
const stars = (text: string) => text.replaceAll(/[^*]/g, '•')

/** Answers one hop in the caller's transaction; nothing outside is called. */
export async function answerHop(ctx: Ctx, dialled: Dialled, began: number): Promise<string> {
  const found = await ctx.sql.maybe<Row & Record<string, unknown>>(sql`
    select "id", "msisdn", "menuId", "place", "tokens", "hops" from ussd_session
    where "companyId" = ${ctx.company.id}::uuid and "providerSessionId" = ${dialled.sessionId} for update`)
  if (found && found.msisdn !== dialled.msisdn) fail('CONFLICT', { message: 'The session is another number’s.' })
  if (found && found.place === null) return 'END This session is over.'
  const known = await clientOf(ctx, dialled.msisdn)
  const menu = found ? await menuOf(ctx, found.menuId) : await menuInForce(ctx)
  const row = found ?? (await open(ctx, dialled, { menu, clientId: known?.id ?? null, tenantId: known?.tenantId ?? ctx.company.id }))
  const port = portOf(ctx, known, {
    msisdn: dialled.msisdn,
    network: dialled.network,
    sessionId: row.id,
    payTo: menu.payTo,
    formats: await formatsOf(ctx.company.id),
  })
  const tokens = tokensOf(dialled.text)
  const fresh = tokens.slice(row.tokens)
  const reply = await replyTo({ port, menu, place: found ? row.place : null, fresh, tokens })
  const typed = fresh.join('*')
  await advance(ctx, row, {
    reply,
    tokens: tokens.length,
    input: found && isSecret(row.place) ? stars(typed) : typed.slice(0, 100),
    ms: Math.round(performance.now() - began),
  })
  return reply.text
}

/** Only what was typed last counts. A star that somebody types makes two of one: it is refused, and the question asked again. */
async function replyTo(given: {
  port: Port
  menu: Menu
  place: Place | null
  fresh: readonly string[]
  tokens: readonly string[]
}): Promise<Reply> {
  const { port, menu, place, fresh, tokens } = given
  if (place === null) {
    const first = begin(port, menu)
    // Some dial on at once, as *384*1#: that one step is taken.
    return tokens.length === 1 && first.place ? step(port, menu, first.place, tokens[0] ?? '') : first
  }
  const [token = '', ...more] = fresh
  return step(port, menu, place, more.length === 0 ? token : '*')
}

async function open(
  ctx: Ctx,
  dialled: Dialled,
  { menu, clientId, tenantId }: { menu: Menu; clientId: string | null; tenantId: string },
): Promise<Row> {
  const id = randomUUIDv7()
  await ctx.sql.exec(sql`
    insert into ussd_session ("companyId", "id", "tenantId", "providerSessionId", "serviceCode", "msisdn", "network", "clientId", "menuId", "menuNumber", "startedAt", "lastMenu")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${tenantId}::uuid, ${dialled.sessionId}, ${dialled.serviceCode}, ${dialled.msisdn}, ${dialled.network || null}, ${clientId}::uuid, ${menu.id}::uuid, ${menu.number}, now(), '')`)
  await ctx.sql.exec(sql`
    insert into ussd_number ("companyId", "id", "tenantId", "msisdn", "clientId", "network", "sessions", "firstAt", "lastAt")
    values (${ctx.company.id}::uuid, ${randomUUIDv7()}::uuid, ${tenantId}::uuid, ${dialled.msisdn}, ${clientId}::uuid, ${dialled.network || null}, 1, now(), now())
    on conflict ("companyId", "msisdn") do update set "sessions" = ussd_number."sessions" + 1, "lastAt" = now(), "clientId" = excluded."clientId", "tenantId" = excluded."tenantId", "network" = excluded."network",
      "version" = ussd_number."version" + 1, "dateModified" = now()`)
  const runAt = new Date(Date.now() + longestMinutes * 60_000)
  await enqueueJob(ctx, expireJob, { id }, runAt)
  return { id, msisdn: dialled.msisdn, menuId: menu.id, place: null, tokens: 0, hops: 0 }
}

async function advance(
  ctx: Ctx,
  row: Row,
  { reply, tokens, input, ms }: { reply: Reply; tokens: number; input: string; ms: number },
): Promise<void> {
  const isOver = reply.place === null
  await ctx.sql.exec(sql`
    insert into ussd_hop ("companyId", "sessionId", "seq", "input", "screen", "response", "ms")
    values (${ctx.company.id}::uuid, ${row.id}::uuid, ${row.hops + 1}, ${input}, ${reply.screen}, ${reply.text}, ${ms})`)
  await ctx.sql.exec(sql`
    update ussd_session set "place" = ${reply.place === null ? null : JSON.stringify(reply.place)}::jsonb, "tokens" = ${tokens}, "hops" = ${row.hops + 1}, "lastMenu" = ${reply.screen},
      "state" = case when ${isOver} then 'COMPLETED' else 'ACTIVE' end, "endedAt" = case when ${isOver} then now() end, "version" = "version" + 1, "dateModified" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${row.id}::uuid`)
}

/** How a session ended, as the gateway reports it. */
export interface Ended {
  sessionId: string
  status: string
  cost: string | null
  durationMs: number | null
  error: string | null
}

/** Files the end: cost and length, and what became of a session that we had not ended ourselves. One that nobody began here is nothing to us. */
export async function endSession(ctx: Ctx, { sessionId, status, cost, durationMs, error }: Ended): Promise<void> {
  const failed = status === 'failed'
  const timedOut = /time/i.test(error ?? '')
  const left = timedOut ? 'TIMED_OUT' : failed ? 'FAILED' : status === 'success' ? 'COMPLETED' : 'ABANDONED'
  await ctx.sql.exec(sql`
    update ussd_session set "state" = case when "state" = 'COMPLETED' and not ${failed} then "state" else ${left} end, "place" = null, "endedAt" = coalesce("endedAt", now()),
      "cost" = coalesce(${cost}::numeric, "cost"), "durationMs" = coalesce(${durationMs}::int, "durationMs"), "lastError" = coalesce(${error}, "lastError"), "version" = "version" + 1, "dateModified" = now()
    where "companyId" = ${ctx.company.id}::uuid and "providerSessionId" = ${sessionId}`)
}

/** Ends a session without a reported end. */
export const expire: JobDefinition<{ id: string }> = {
  name: expireJob,
  run: async (ctx, { id }) => {
    await ctx.sql.exec(sql`
      update ussd_session set "state" = 'TIMED_OUT', "place" = null, "endedAt" = now(), "version" = "version" + 1, "dateModified" = now()
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "state" = 'ACTIVE'`)
  },
}

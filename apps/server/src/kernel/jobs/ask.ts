import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { companyDay } from '../days.ts'
import type { Ctx } from '../types.ts'
import type { JobDefinition } from './types.ts'

/** Has the program do a job in the company: at once, or at its time. */
export async function askFor(ctx: Ctx, type: string, payload: Record<string, unknown> = {}, runAt?: Date): Promise<void> {
  await enqueue(ctx.sql, { companyId: ctx.company.id, userId: null, type, payload, ...(runAt ? { runAt } : {}) })
}

const asked = new WeakMap<Ctx, Set<string>>()

/**
 * Has a job done once for all that a transaction does, unless one is planned in the company by then already. Two transactions at
 * once agree on one: a job that plans its next run would go on as two.
 */
export function askOnce(ctx: Ctx, type: string, { at, planned = sql`true` }: { at: Date; planned?: ReturnType<typeof sql> }): void {
  const types = asked.get(ctx) ?? new Set()
  asked.set(ctx, types)
  if (types.has(type)) return
  types.add(type)
  ctx.beforeCommit(async () => {
    await ctx.sql.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`${type} ${ctx.company.id}`}, 0))`)
    const next = await ctx.sql.maybe(
      sql`select from outbox where "companyId" = ${ctx.company.id}::uuid and "type" = ${type} and "status" = 'new' and ${planned} limit 1`,
    )
    if (!next) await askFor(ctx, type, {}, at)
  })
}

/** The minute of tomorrow's clock in the company. */
const tomorrowAt = (ctx: Ctx, minute: number) => new Date(timeAt(addDays(companyDay(ctx), 1), minute, ctx.company.timeZone))

/** A look at all of a company that plans the next one by itself; `plan` begins it, where something is to be looked at. */
export interface Look {
  job: JobDefinition
  plan(ctx: Ctx): void
}

/** Looks once a day at that minute of the company's clock, from tomorrow on. `look` says whether more was left than it took: then the next look follows at once. */
export function dailyLook(name: string, { minute, look }: { minute: number; look: (ctx: Ctx) => Promise<boolean> }): Look {
  const planNext = (ctx: Ctx, isMore = false) => askFor(ctx, name, {}, isMore ? new Date() : tomorrowAt(ctx, minute))
  return {
    // One bad day must not end all looks.
    job: { name, run: async (ctx) => planNext(ctx, await look(ctx)), whenDead: (ctx) => planNext(ctx) },
    plan: (ctx) => askOnce(ctx, name, { at: tomorrowAt(ctx, minute) }),
  }
}

const minuteMs = 60_000

/** Looks every so many minutes as long as `look` says that there is something to watch; the first time a minute after `plan`. */
export function steadyLook(name: string, { minutes, look }: { minutes: number; look: (ctx: Ctx) => Promise<boolean> }): Look {
  return {
    job: {
      name,
      run: async (ctx) => {
        if (await look(ctx)) await askFor(ctx, name, {}, new Date(Date.now() + minutes * minuteMs))
      },
    },
    plan: (ctx) =>
      askOnce(ctx, name, {
        at: new Date(Date.now() + minuteMs),
        planned: sql`"runAt" <= now() + make_interval(mins => ${minutes}::int)`,
      }),
  }
}

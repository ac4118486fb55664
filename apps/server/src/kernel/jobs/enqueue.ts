import { takeTurn } from '@outpost/platform/db/turn'
import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { companyDay } from '../days.ts'
import type { Ctx } from '../types.ts'
import type { JobDefinition } from './types.ts'

/** Enqueues a job of the company: at once, or at its time. */
export async function enqueueJob(ctx: Ctx, type: string, payload: Record<string, unknown> = {}, runAt?: Date): Promise<void> {
  await enqueue(ctx.sql, { companyId: ctx.company.id, userId: null, type, payload, ...(runAt ? { runAt } : {}) })
}

const asked = new WeakMap<Ctx, Set<string>>()

/**
 * Enqueues a job once for all that a transaction does, unless one is planned in the company by then already. Two transactions at
 * once agree on one: a job that plans its next run would go on as two.
 */
export function enqueueOnce(ctx: Ctx, type: string, { at, planned = sql`true` }: { at: Date; planned?: ReturnType<typeof sql> }): void {
  const types = asked.get(ctx) ?? new Set()
  asked.set(ctx, types)
  if (types.has(type)) return
  types.add(type)
  ctx.beforeCommit(async () => {
    await takeTurn(ctx.sql, `${type} ${ctx.company.id}`)
    const next = await ctx.sql.maybe(
      sql`select from outbox where "companyId" = ${ctx.company.id}::uuid and "type" = ${type} and "status" = 'new' and ${planned} limit 1`,
    )
    if (!next) await enqueueJob(ctx, type, {}, at)
  })
}

/** The minute of tomorrow's clock in the company. */
const tomorrowAt = (ctx: Ctx, minute: number) => new Date(timeAt(addDays(companyDay(ctx), 1), minute, ctx.company.timeZone))

/** A job that plans its next run by itself; `plan` begins it, where a company has something for it. */
export interface RepeatingJob {
  job: JobDefinition
  plan(ctx: Ctx): void
}

/** Runs once a day at that minute of the company's clock, from tomorrow on. `run` says whether more was left than it took: then the next run follows at once. */
export function dailyJob(name: string, { minute, run }: { minute: number; run: (ctx: Ctx) => Promise<boolean> }): RepeatingJob {
  const planNext = (ctx: Ctx, isMore = false) => enqueueJob(ctx, name, {}, isMore ? new Date() : tomorrowAt(ctx, minute))
  return {
    // One bad day must not end all runs.
    job: { name, run: async (ctx) => planNext(ctx, await run(ctx)), whenDead: (ctx) => planNext(ctx) },
    plan: (ctx) => enqueueOnce(ctx, name, { at: tomorrowAt(ctx, minute) }),
  }
}

const minuteMs = 60_000

/** Runs every so many minutes as long as `run` says that there is something to watch; the first time a minute after `plan`. */
export function repeatingJob(name: string, { minutes, run }: { minutes: number; run: (ctx: Ctx) => Promise<boolean> }): RepeatingJob {
  return {
    job: {
      name,
      run: async (ctx) => {
        if (await run(ctx)) await enqueueJob(ctx, name, {}, new Date(Date.now() + minutes * minuteMs))
      },
    },
    plan: (ctx) =>
      enqueueOnce(ctx, name, {
        at: new Date(Date.now() + minuteMs),
        planned: sql`"runAt" <= now() + make_interval(mins => ${minutes}::int)`,
      }),
  }
}

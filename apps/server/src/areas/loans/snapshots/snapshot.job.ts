import { setTimeout as wait } from 'node:timers/promises'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Statement } from '@outpost/platform/types'
import type { Ctx, JobDefinition } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { bookedSums, firstAbove, balancesOn } from './balances.ts'

/** Name of the job; the night has it run. */
export const snapshotJobName = 'loans.snapshots'

/** Stale loans of one transaction. */
const batch = 200
/** How long it waits for what was under way when a day was announced. */
const [patienceMs, lookMs] = [60_000, 200]

/**
 * Takes the snapshots of months that are over, oldest first, and those anew that were changed since. In steps of their own transactions; any number of runs,
 * also at once, end in the same snapshots.
 */
export const snapshotJob: JobDefinition = {
  name: snapshotJobName,
  ownTransaction: true,
  run: async (ctx, _data, { signal }) => {
    const announced = await ctx.transaction(announce)
    if (announced) await everythingBefore(ctx, signal)
    while (await ctx.transaction(takeNext)) signal.throwIfAborted()
    while (await ctx.transaction(mendSome)) signal.throwIfAborted()
  },
}

/** Announces the ends of months that nobody has; true while one is not taken. */
async function announce(ctx: Ctx): Promise<boolean> {
  const company = sql`${ctx.company.id}::uuid`
  await ctx.sql.exec(sql`
    insert into loan_snapshot_day ("companyId", "day")
    select ${company}, (g.month + interval '1 month - 1 day')::date
    from (select min(x."bookedOn") as day from loan_transaction x where x."companyId" = ${company}) f
      cross join lateral generate_series(date_trunc('month', f.day::timestamp), date_trunc('month', ${today(ctx)}::timestamp) - interval '1 month', interval '1 month') g(month)
    order by 2 on conflict do nothing`)
  return (
    (await ctx.sql.maybe(sql`select from loan_snapshot_day where "companyId" = ${company} and "takenAt" is null limit 1`)) !== undefined
  )
}

/** What began before a day was announced may book on it unseen: waits until all of that has ended. */
async function everythingBefore(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const { horizon } = await ctx.sql.one<{ horizon: string }>(sql`select pg_snapshot_xmax(pg_current_snapshot())::text as horizon`)
  for (let waited = 0; waited < patienceMs; waited += lookMs) {
    const { isOver } = await ctx.sql.one<{ isOver: boolean }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${horizon}::xid8 as "isOver"`,
    )
    if (isOver) return
    await wait(lookMs, undefined, { signal })
  }
  throw new Error('a transaction from before the announcement is still under way')
}

/** What is marked while a day is taken is mended after it, so that no row is left as it was. */
const oneAtATime = ({ sql: db, company }: Ctx) => takeTurn(db, `${snapshotJobName} ${company.id}`)

/** Takes the oldest snapshot that is announced; false when there is none. */
async function takeNext(ctx: Ctx): Promise<boolean> {
  await oneAtATime(ctx)
  const next = await ctx.sql.maybe<{ day: string }>(sql`
    select to_char("day", 'YYYY-MM-DD') as day from loan_snapshot_day where "companyId" = ${ctx.company.id}::uuid and "takenAt" is null order by "day" limit 1`)
  if (!next) return false
  const { ctes, rows } = balancesOn(ctx, { day: next.day, name: 'taken', isNew: true })
  await store(ctx, { ctes, rows: sql`select r.*, ${next.day}::date as "day" from (${rows}) r` })
  await ctx.sql.exec(
    sql`update loan_snapshot_day set "takenAt" = now() where "companyId" = ${ctx.company.id}::uuid and "day" = ${next.day}::date`,
  )
  return true
}

/** Takes the snapshots of some stale loans anew, from their transactions; false when there is none. A mark that comes meanwhile waits for this one to go, and stays. */
async function mendSome(ctx: Ctx): Promise<boolean> {
  await oneAtATime(ctx)
  const company = sql`${ctx.company.id}::uuid`
  const stale = await ctx.sql.query<{ loanId: string; from: string }>(sql`
    delete from loan_snapshot_stale s using (
      select "loanId" from loan_snapshot_stale where "companyId" = ${company} order by "loanId" limit ${batch}) g
    where s."companyId" = ${company} and s."loanId" = g."loanId" returning s."loanId", s."from"::text as "from"`)
  if (stale.length === 0) return false
  const marked = sql`
    select d."day", g."loanId" from jsonb_to_recordset(${JSON.stringify(stale)}::jsonb) as g("loanId" uuid, "from" date)
      join loan_snapshot_day d on d."companyId" = ${company} and d."takenAt" is not null and d."day" >= g."from"`
  await ctx.sql.exec(sql`
    delete from loan_snapshot s using (${marked}) g where s."companyId" = ${company} and s."day" = g."day" and s."loanId" = g."loanId"`)
  await store(ctx, {
    ctes: sql`marked as materialized (${marked})`,
    rows: sql`
      select g."loanId", g."day", t.* from marked g
        cross join lateral (select ${bookedSums} from loan_transaction x where x."companyId" = ${company} and x."loanId" = g."loanId" and x."bookedOn" <= g."day") t`,
  })
  return true
}

/** Stores those of the rows that owe principal, with the next two rows of the schedule that each had on its day. */
const store = (ctx: Ctx, { ctes, rows }: { ctes: Statement; rows: Statement }) =>
  ctx.sql.exec(sql`
    with ${ctes}
    insert into loan_snapshot ("companyId", "day", "loanId", "principal", "paid", "gone", "oldestOn", "oldestSum", "nextOn", "nextSum")
    select ${ctx.company.id}::uuid, m."day", m."loanId", m.principal, m.paid, m.gone, o."dueOn", o."dueSoFar", n."dueOn", n."dueSoFar"
    from (${rows}) m
      left join lateral (select q."changeId" from loan_instalment_past q where q."companyId" = ${ctx.company.id}::uuid and q."loanId" = m."loanId" and q."replacedOn" > m."day"
        order by q."replacedOn", q."replacedAt" limit 1) past on true
      left join lateral (${firstAbove(ctx, sql`m.paid`)}) o on true
      left join lateral (${firstAbove(ctx, sql`o."dueSoFar"`)}) n on true
    where m.principal > 0 order by m."loanId"`)

import { Failure } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { notify } from '../realtime/notify.ts'
import type { Ctx, JobDefinition } from '../types.ts'
import { runTrial } from '../uploads/trial.ts'
import { importedRowOf, type ImportedRow, type ImportKind, type ImportRow } from './import-kind.ts'
import { ownRuns } from './import-runs.ts'

interface Run {
  id: string
  fileName: string
  isTrial: boolean
  status: string
  options: { options: unknown; mapping: (string | null)[] }
}
interface Portion {
  position: number
  rows: { row: number; cells: string[] }[]
}
interface Working {
  kind: ImportKind
  runId: string
  /** Row of a trial by the key that it is the first to have. */
  first: Map<string, number>
}

/**
 * Takes the rows of a run in, portion by portion: each is written in the transaction that keeps its verdicts, so that whoever goes on after a kill begins
 * with the first that has none. A trial is the same, taken back before its verdicts are kept. Ends when the run was cancelled.
 */
export const importJob = (kind: ImportKind): JobDefinition => ({
  name: `${kind.name}.import`,
  ownTransaction: true,
  async run(ctx, { runId }, { signal }) {
    const working: Working = { kind, runId: String(runId), first: await firstRows(ctx, String(runId)) }
    while (await takePortion(ctx, working)) signal.throwIfAborted()
  },
  async whenDead(ctx, { runId }, { lastError }) {
    ctx.log.error({ runId, lastError }, 'an import broke off')
    await ctx.sql.exec(sql`
      update import_run set "status" = 'failed', "finishedAt" = now(), "error" = 'The import was interrupted again and again. Go on, or ask an administrator.'
      where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(runId)}::uuid and "status" in ('queued', 'running')`)
  },
})

/** Forgets a file and what it said. */
export const forgetImportJob = ({ name }: ImportKind): JobDefinition => ({
  name: `${name}.forgetImport`,
  run: async (ctx, { runId }) => {
    await ctx.sql.exec(sql`delete from import_run where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(runId)}::uuid`)
  },
})

/** Writes the next portion; false when there is none, or the run is over. */
async function takePortion(ctx: Ctx, working: Working): Promise<boolean> {
  const next = await ctx.transaction(async (inner) => {
    const { kind } = working
    const run = await lockRun(inner, working)
    if (!run) return undefined
    if (!kind.mayRun(inner, run.options.options)) throw new Failure('FORBIDDEN')
    const portion = await inner.sql.maybe<Portion & Record<string, unknown>>(sql`
      select "position", "rows" from import_portion where "companyId" = ${inner.company.id}::uuid and "runId" = ${run.id}::uuid and "verdicts" is null order by "position" limit 1`)
    if (!portion) return void (await finish(inner, kind, run))
    // A trial is taken back as a whole transaction, so that nothing of it stays behind, not even what waits for the commit.
    if (!run.isTrial) await keep(inner, run, portion, await kind.write(inner, run.options.options, rowsOf(run, portion)))
    return { run, portion }
  })
  if (next?.run.isTrial) await tryPortion(ctx, working, next)
  return next !== undefined
}

async function tryPortion(ctx: Ctx, working: Working, { run, portion }: { run: Run; portion: Portion }): Promise<void> {
  const { kind, first } = working
  const { options } = run.options
  const tried = await runTrial(
    ctx,
    (inner) => kind.write(inner, options, rowsOf(run, portion)),
    () => true,
  )
  const known = tried.map((one) => knownFrom(first, one, (key, row) => kind.twice(one, key, row, options)))
  await ctx.transaction(async (inner) => {
    if (await lockRun(inner, working)) await keep(inner, run, portion, known)
  })
}

/** A trial leaves nothing behind: what an earlier portion would have made is not found in the database. */
function knownFrom(first: Map<string, number>, tried: ImportedRow, twice: (key: string, row: number) => ImportedRow): ImportedRow {
  if (tried.verdict !== 'make' && tried.verdict !== 'update') return tried
  const again = tried.keys.find((key) => first.has(key))
  if (again !== undefined) return twice(again, first.get(again) ?? tried.row)
  for (const key of tried.keys) first.set(key, tried.row)
  return tried
}

async function lockRun(ctx: Ctx, { kind, runId }: Working): Promise<Run | undefined> {
  const run = await ctx.sql.maybe<Run & Record<string, unknown>>(sql`
    select r."id", r."fileName", r."isTrial", r."status", r."options" from import_run r where ${ownRuns(kind, ctx)} and r."id" = ${runId}::uuid for update`)
  return run && ['queued', 'running'].includes(run.status) ? run : undefined
}

const rowsOf = ({ options: { mapping } }: Run, { rows }: Portion): ImportRow[] =>
  rows.map(({ row, cells }) => ({
    row,
    values: Object.fromEntries(mapping.flatMap((field, index) => (field && cells[index] ? [[field, cells[index]]] : []))),
  }))

async function keep(ctx: Ctx, { id }: Run, { position, rows }: Portion, tried: readonly ImportedRow[]): Promise<void> {
  await ctx.sql.exec(sql`
    update import_portion set "verdicts" = ${JSON.stringify(tried.map(importedRowOf))}::jsonb where "companyId" = ${ctx.company.id}::uuid and "runId" = ${id}::uuid and "position" = ${position}`)
  await ctx.sql.exec(
    sql`update import_run set "status" = 'running', "done" = "done" + ${rows.length} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
}

/** The person hears of what was imported, wherever they are by then. */
async function finish(ctx: Ctx, kind: ImportKind, { id, fileName, isTrial }: Run): Promise<void> {
  await ctx.sql.exec(
    sql`update import_run set "status" = 'done', "finishedAt" = now() where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
  if (isTrial) return
  const { taken, left } = await ctx.sql.one<{ taken: number; left: number }>(sql`
    select count(*) filter (where v ->> 'verdict' in ('make', 'update'))::int as taken, count(*) filter (where v ->> 'verdict' in ('skip', 'refuse'))::int as left
    from import_portion p cross join lateral jsonb_array_elements(p."verdicts") v where p."companyId" = ${ctx.company.id}::uuid and p."runId" = ${id}::uuid`)
  const message = `${fileName}: ${taken} rows imported${left > 0 ? `, ${left} not taken` : ''}`
  await notify(ctx, { userId: ctx.user.id, itemType: 'Message', kind: kind.news, itemId: id, message, link: kind.link(id) })
}

/** Keys that the portions which were tried before have. */
async function firstRows(ctx: Ctx, runId: string): Promise<Map<string, number>> {
  const rows = await ctx.sql.query<{ key: string; row: number }>(sql`
    select k as key, min((v ->> 'row')::int) as row from import_portion p cross join lateral jsonb_array_elements(p."verdicts") v cross join lateral jsonb_array_elements_text(v -> 'keys') k
    where p."companyId" = ${ctx.company.id}::uuid and p."runId" = ${runId}::uuid and v ->> 'verdict' in ('make', 'update') group by 1`)
  return new Map(rows.map(({ key, row }) => [key, row]))
}

import { randomUUIDv7 } from 'node:crypto'
import { chunk } from 'es-toolkit/array/chunk'
import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Statement } from '@outpost/platform/types'
import { enqueue } from '@outpost/platform/outbox'
import { z } from 'zod'
import { enqueueJob } from '../jobs/enqueue.ts'
import type { Answer, Ctx } from '../types.ts'
import { importedRow, importVerdicts, type ImportKind } from './import-kind.ts'

/** Rows of a file at most, and those of them that are written in one transaction. */
export const maxRows = 10_000
export const portionRows = 500
/** Runs of a person that may wait or go on at a time. */
const maxAtOnce = 2
/** Rows that were taken are shown so many; the others all. */
const shownTaken = 200
/** What a file says of people is forgotten after so long. */
const keptMs = 7 * 86_400_000

export const startInput = ({ columns, options }: ImportKind) =>
  z
    .strictObject({
      fileName: z.string().trim().min(1).max(200),
      headings: z.array(z.string().max(200)).min(1).max(100),
      /** What each column is; null is left out. */
      mapping: z.array(z.enum(columns).nullable()).max(100),
      options,
      rows: z
        .array(z.strictObject({ row: z.int().min(1).max(1_000_000), cells: z.array(z.string().max(4_000)).max(100) }))
        .min(1)
        .max(maxRows),
    })
    .refine(({ mapping, headings }) => mapping.length === headings.length, { path: ['mapping'], error: 'must say what each column is' })
    .refine(({ mapping }) => mapping.filter(Boolean).length === new Set(mapping.filter(Boolean)).size, {
      path: ['mapping'],
      error: 'names a field twice',
    })
    .refine(({ rows }) => new Set(rows.map(({ row }) => row)).size === rows.length, { path: ['rows'], error: 'names a row twice' })
export type StartInput = z.infer<ReturnType<typeof startInput>>

export const runAnswer = z.strictObject({
  run: z.strictObject({
    Id: identifierSchema,
    fileName: z.string(),
    headings: z.array(z.string()),
    isTrial: z.boolean(),
    status: z.enum(['queued', 'running', 'done', 'cancelled', 'failed']),
    total: z.int(),
    done: z.int(),
    counts: z.partialRecord(z.enum(importVerdicts), z.int()),
    error: z.string().nullable(),
    /** Once it rests: all rows that are not taken, with their cells, and the first of those that are. */
    rows: z.array(importedRow.omit({ keys: true }).extend({ cells: z.array(z.string()) })),
  }),
})

/** The caller's runs of this kind in the company worked in: user and home are one name. */
export const ownRuns = ({ name }: ImportKind, { company, user }: Ctx): Statement => sql`
  r."companyId" = ${company.id}::uuid and r."userId" = ${user.id}::uuid and r."homeCompanyId" = ${user.companyId}::uuid and r."kind" = ${name}`

/** Keeps the rows of a file and has them tried: nothing is written yet. */
export function startImport(kind: ImportKind, ctx: Ctx, { fileName, headings, mapping, options, rows }: StartInput): Promise<Answer> {
  if (!kind.mayRun(ctx, options)) fail('FORBIDDEN')
  return ctx.transaction(async (inner) => {
    await refuseTooMany(kind, inner)
    const id = randomUUIDv7()
    await inner.sql.exec(sql`
      insert into import_run ("companyId", "id", "tenantId", "userId", "homeCompanyId", "kind", "fileName", "headings", "options", "total")
      values (${inner.company.id}::uuid, ${id}::uuid, ${inner.tenant.id}::uuid, ${inner.user.id}::uuid, ${inner.user.companyId}::uuid, ${kind.name}, ${fileName}, ${headings}::text[],
        ${JSON.stringify({ options, mapping })}::jsonb, ${rows.length})`)
    const portions = chunk(rows, portionRows).map((part, position) => ({ position, rows: part }))
    await inner.sql.exec(sql`
      insert into import_portion ("companyId", "runId", "position", "rows")
      select ${inner.company.id}::uuid, ${id}::uuid, p."position", p."rows" from json_to_recordset(${JSON.stringify(portions)}::json) p("position" integer, "rows" jsonb)`)
    await queue(kind, inner, id)
    await enqueueJob(inner, `${kind.name}.forgetImport`, { runId: id }, new Date(Date.now() + keptMs))
    return runOf(kind, inner, id)
  })
}

const queue = ({ name }: ImportKind, { sql: db, company, user, tenant }: Ctx, runId: string) =>
  enqueue(db, { companyId: company.id, userId: user.id, type: `${name}.import`, payload: { runId, tenantId: tenant.id } })

/** One at a time: of twelve that ask together each would find none of the others. */
async function refuseTooMany(kind: ImportKind, ctx: Ctx): Promise<void> {
  await takeTurn(ctx.sql, `imports of ${ctx.user.id}`)
  const open = await ctx.sql.one<{ count: number }>(sql`
    select count(*)::int as count from import_run r where ${ownRuns(kind, ctx)} and r."status" in ('queued', 'running')`)
  if (open.count >= maxAtOnce) fail('TOO_MANY_REQUESTS', { message: 'Wait until one of your imports is ready, or cancel it.' })
}

interface Step {
  /** What the run must be for it. */
  when: Statement
  set: Statement
  refusal: string
  isQueued: boolean
}

/** Imports the rows of a trial that is over: they are judged anew as they are written. Once, however many ask. */
export const commitImport = (kind: ImportKind, ctx: Ctx, id: string) =>
  step(kind, ctx, id, {
    when: sql`r."isTrial" and r."status" = 'done'`,
    set: sql`"isTrial" = false, "status" = 'queued', "done" = 0, "finishedAt" = null`,
    refusal: 'Only a trial that is over can be imported.',
    isQueued: true,
  })

/** What was cancelled or broke off goes on with the rows that are left. */
export const resumeImport = (kind: ImportKind, ctx: Ctx, id: string) =>
  step(kind, ctx, id, {
    when: sql`r."status" in ('cancelled', 'failed')`,
    set: sql`"status" = 'queued', "error" = null, "finishedAt" = null`,
    refusal: 'This import was not cancelled.',
    isQueued: true,
  })

/** Stops before the next portion; what was written stays. */
export const cancelImport = (kind: ImportKind, ctx: Ctx, id: string) =>
  step(kind, ctx, id, {
    when: sql`r."status" in ('queued', 'running')`,
    set: sql`"status" = 'cancelled', "finishedAt" = now()`,
    refusal: 'This import is over.',
    isQueued: false,
  })

function step(kind: ImportKind, ctx: Ctx, id: string, { when, set, refusal, isQueued }: Step): Promise<Answer> {
  return ctx.transaction(async (inner) => {
    if (isQueued) await refuseTooMany(kind, inner)
    const found = await inner.sql.maybe<{ fits: boolean; options: { options: unknown } }>(
      sql`select ${when} as fits, r."options" from import_run r where ${ownRuns(kind, inner)} and r."id" = ${id}::uuid for update`,
    )
    if (!found) fail('NOT_FOUND')
    if (!found.fits) fail('CONFLICT', { message: refusal })
    if (isQueued && !kind.mayRun(inner, found.options.options)) fail('FORBIDDEN')
    await inner.sql.exec(sql`
      update import_portion p set "verdicts" = null from import_run r
      where p."companyId" = r."companyId" and p."runId" = r."id" and ${ownRuns(kind, inner)} and r."id" = ${id}::uuid and r."isTrial" and r."status" = 'done'`)
    await inner.sql.exec(sql`update import_run r set ${set} where ${ownRuns(kind, inner)} and r."id" = ${id}::uuid`)
    if (isQueued) await queue(kind, inner, id)
    return runOf(kind, inner, id)
  })
}

/** A run as the caller follows it. Stops with NOT_FOUND for that of somebody else. */
export async function runOf(kind: ImportKind, ctx: Ctx, id: string): Promise<Answer> {
  const own = sql`p."companyId" = r."companyId" and p."runId" = r."id"`
  // Asked again and again while a file is taken in: until it rests, only the counts are read.
  const run = await ctx.sql.maybe(sql`
    select r."id" as "Id", r."fileName", r."headings", r."isTrial", r."status", r."total", r."done", r."error",
      coalesce((select jsonb_object_agg(c.key, c.count) from (
        select v ->> 'verdict' as key, count(*) from import_portion p cross join lateral jsonb_array_elements(p."verdicts") v where ${own} group by 1) c), '{}') as counts,
      case when r."status" in ('queued', 'running') then '[]' else coalesce((
        select jsonb_agg((verdict - 'keys') || jsonb_build_object('cells', stored -> 'cells') order by row) from (
          select stored, verdict, (verdict ->> 'row')::int as row, row_number() over (partition by verdict ->> 'verdict' order by (verdict ->> 'row')::int) as place
          from import_portion p cross join lateral rows from (jsonb_array_elements(p."rows"), jsonb_array_elements(p."verdicts")) v(stored, verdict)
          where ${own} and p."verdicts" is not null) shown
        where verdict ->> 'verdict' in ('refuse', 'skip') or place <= ${shownTaken}), '[]') end as rows
    from import_run r where ${ownRuns(kind, ctx)} and r."id" = ${id}::uuid`)
  return { data: { run: run ?? fail('NOT_FOUND') } }
}

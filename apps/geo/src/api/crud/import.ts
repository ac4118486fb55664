import type { FieldError } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { Sql } from '@outpost/platform/types'
import { toFailure } from '@outpost/platform/failures'
import { z } from 'zod'
import { handler, type Answer, type GeoCtx, type Handler } from '../types.ts'
import { bodyOf, type GeoResource, type Input } from './resource.ts'
import { insertRecord } from './write.ts'

/** Rows of one file. */
const maxRows = 500
const input = z.strictObject({
  dryRun: z.boolean().default(true),
  rows: z.array(z.record(z.string(), z.unknown())).min(1, 'holds no row').max(maxRows, `may hold ${maxRows} rows at most`),
})

interface Judged {
  name: string
  problems: FieldError[]
}

/** Takes everything back that a dry run, or one with a refused row, has done. */
class Undone extends Error {}

/**
 * Builds the call that creates a record of each row, all or none. The dry run is the same up to the end and then taken back, so that its
 * verdicts are those of the commit. Answers {dryRun, made, refused, rows: [{row, name, problems}]}; rows are counted from 1.
 */
export const importMany = (resource: GeoResource, { never }: { never: readonly string[] }): Handler =>
  handler(input, async (ctx, { dryRun, rows }): Promise<Answer> => {
    const judged = await runTrial(ctx, rows.length, dryRun, (db) => writeAll(ctx, db, resource, { rows, never }))
    const refused = judged.filter(({ problems }) => problems.length > 0).length
    return {
      data: {
        dryRun: dryRun || refused > 0,
        made: judged.length - refused,
        refused,
        rows: judged.map(({ name, problems }, index) => ({ row: index + 1, name, problems })),
      },
    }
  })

async function runTrial(ctx: GeoCtx, count: number, dryRun: boolean, write: (db: Sql) => Promise<Judged[]>): Promise<Judged[]> {
  let judged: Judged[] = []
  try {
    await ctx.transaction(async (db) => {
      judged = await write(db)
      if (dryRun || judged.some(({ problems }) => problems.length > 0)) throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (judged.length !== count) throw new Error('Not every row was judged')
  return judged
}

interface Given {
  rows: readonly Record<string, unknown>[]
  /** Names that a file may not hold. */
  never: readonly string[]
}

async function writeAll(ctx: GeoCtx, db: Sql, resource: GeoResource, { rows, never }: Given): Promise<Judged[]> {
  const schema = bodyOf(resource, resource.create)
  const judged: Judged[] = []
  for (const row of rows) {
    const forbidden = never.filter((key) => Object.hasOwn(row, key)).map((field) => ({ field, message: 'may not be in a file' }))
    const read = schema.safeParse(row)
    const problems =
      forbidden.length > 0 ? forbidden : read.success ? await writeOne(ctx, db, resource, read.data) : problemsOf(read.error, ctx.log)
    judged.push({ name: typeof row.name === 'string' ? row.name : '', problems })
  }
  return judged
}

/** A refused row is taken back alone: the others are still judged in the state that the good ones leave. */
async function writeOne(ctx: GeoCtx, db: Sql, resource: GeoResource, row: Input): Promise<FieldError[]> {
  await db.exec(sql`savepoint import_row`)
  try {
    await insertRecord(ctx, db, resource, row)
    await db.exec(sql`release savepoint import_row`)
    return []
  } catch (error) {
    await db.exec(sql`rollback to savepoint import_row`)
    const problems = problemsOf(error, ctx.log)
    if (problems.length === 0) throw error
    return problems
  }
}

function problemsOf(error: unknown, log: Log): FieldError[] {
  const failure = toFailure(error, log)
  if (failure.error.status >= 500) return []
  return failure.more.fields?.length ? [...failure.more.fields] : [{ field: 'row', message: failure.message }]
}

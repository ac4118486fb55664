import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Change } from '../../../kernel/resource/writing.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { readSheet } from '../../../kernel/uploads/sheet.ts'
import { problemsOf, tryOut } from '../../../kernel/uploads/trial.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { client } from '../client.resource.ts'
import { columnKeys, guessColumns, importFields } from './columns.ts'
import { assessRows, type Assessed } from './judge.ts'
import { importVerdicts, maxPortion, type ImportInput } from './portion.ts'

/** Rows of a file at most. */
const maxRows = 10_000
export const sheetLimits = { files: 1, maxBytes: 5_242_880, types: ['csv', 'xlsx'] }
export const portionLimits = { own: true, bodyLimit: 4_194_304, limit: 240 } as const

export const sheetAnswer = z.strictObject({
  headings: z.array(z.string()),
  /** What each column is taken for; null where nobody knows. */
  guess: z.array(z.enum(columnKeys).nullable()),
  fields: z.array(z.strictObject({ key: z.enum(columnKeys), label: z.string(), required: z.boolean() })),
  rows: z.array(z.strictObject({ row: z.int(), cells: z.array(z.string()) })),
  portion: z.int(),
})

/** Reads a file and writes nothing: its headings, what they may mean, and its rows, which are sent back in portions. */
export async function readClientSheet(_ctx: Ctx, _input: object, { files, store }: RequestInfo): Promise<Answer> {
  const [file] = files ?? []
  if (!file) return fail('INVALID', { fields: [{ field: 'file', message: 'is required' }] })
  const [head, ...body] = await readSheet(file, store, maxRows)
  const headings = head?.cells ?? []
  const rows = body.map(({ number, cells }) => ({ row: number, cells: headings.map((_, index) => cells[index] ?? '') }))
  return { data: { headings, guess: guessColumns(headings), fields: importFields, rows, portion: maxPortion } }
}

export const importAnswer = z.strictObject({
  dryRun: z.boolean(),
  rows: z.array(
    z.strictObject({
      row: z.int(),
      name: z.string(),
      verdict: z.enum(importVerdicts),
      problems: z.array(z.strictObject({ field: z.string(), message: z.string() })),
      /** The client that the row is about, where the caller sees them. */
      existing: z.strictObject({ Id: identifierSchema, name: z.string() }).nullable(),
      /** What tells people apart, in one spelling: the same in two portions of a file is one person twice. */
      keys: z.array(z.string()),
    }),
  ),
})

/**
 * Makes or changes a client of each row of a portion; an error names the field of its row and holds no other row back. A dry run is the same,
 * taken back at the end, so that its verdicts are those of the commit. Under the company's counter, so that five at once make each person once.
 */
export async function importClients(ctx: Ctx, input: ImportInput): Promise<Answer> {
  if (input.duplicates === 'update' && !holdsAny(ctx, 'CLIENTS/EDIT')) fail('FORBIDDEN')
  const judged = await tryOut(
    ctx,
    (outer) => withStream(outer, (inner) => write(inner, input)),
    () => input.dryRun,
  )
  const rows = judged.map(({ row, name, verdict, problems, existing, keys }) => ({ row, name, verdict, problems, existing, keys }))
  return { data: { dryRun: input.dryRun, rows } }
}

async function write(ctx: Ctx, input: ImportInput): Promise<Assessed[]> {
  const judged = await assessRows(ctx, input)
  const good = judged.flatMap((one) => (one.change ? [{ one, change: one.change }] : []))
  const changes = good.map(({ change }): Change => change)
  const results = await writeRecords(ctx, client, changes, { source: 'import', onRefusal: 'report' })
  const failures = new Map(good.map(({ one }, index) => [one, results[index]?.failure]))
  return judged.map((one) => {
    const failure = failures.get(one)
    return failure ? { ...one, verdict: 'refuse', problems: problemsOf(failure) } : one
  })
}

import { fail } from '@outpost/contract/errors'
import { unguardText } from '@outpost/rules/spreadsheet'
import { z } from 'zod'
import { importedRow, importedRowOf } from '../../../kernel/imports/import-kind.ts'
import { maxRows } from '../../../kernel/imports/import-runs.ts'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Change } from '../../../kernel/resource/writing.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { readSheet } from '../../../kernel/uploads/sheet.ts'
import { problemsOf, tryOut } from '../../../kernel/uploads/trial.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { client } from '../client.resource.ts'
import { columnKeys, guessColumns, importFields } from './columns.ts'
import { assessRows, type Assessed } from './assess.ts'
import { maxPortion, type ImportInput, type PortionInput } from './portion.ts'

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
  const rows = body.map(({ number, cells }) => ({ row: number, cells: headings.map((_, index) => unguardText(cells[index] ?? '')) }))
  return { data: { headings, guess: guessColumns(headings), fields: importFields, rows, portion: maxPortion } }
}

export const importAnswer = z.strictObject({
  dryRun: z.boolean(),
  rows: z.array(importedRow),
})

/**
 * Makes or changes a client of each row of a portion; an error names the field of its row and holds no other row back. A dry run is the same,
 * taken back at the end, so that its verdicts are those of the commit. Under the company's counter, so that five at once make each person once.
 */
export async function importClients(ctx: Ctx, input: ImportInput): Promise<Answer> {
  if (input.duplicates === 'update' && !holdsAny(ctx, 'CLIENTS/EDIT')) fail('FORBIDDEN')
  const tried = await tryOut(
    ctx,
    (outer) => withStream(outer, (inner) => writeRows(inner, input)),
    () => input.dryRun,
  )
  return { data: { dryRun: input.dryRun, rows: tried.map(importedRowOf) } }
}

/** Assesses rows and writes those that are good, in the running transaction. */
export async function writeRows(ctx: Ctx, input: PortionInput): Promise<Assessed[]> {
  const tried = await assessRows(ctx, input)
  const good = tried.flatMap((one) => (one.change ? [{ one, change: one.change }] : []))
  const changes = good.map(({ change }): Change => change)
  const results = await writeRecords(ctx, client, changes, { source: 'import', onRefusal: 'report' })
  const failures = new Map(good.map(({ one }, index) => [one, results[index]?.failure]))
  return tried.map((one) => {
    const failure = failures.get(one)
    return failure ? { ...one, verdict: 'refuse', problems: problemsOf(failure) } : one
  })
}

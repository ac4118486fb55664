import { fail } from '@outpost/contract/errors'
import { unguardText } from '@outpost/rules/spreadsheet'
import { z } from 'zod'
import { importedRow, importedRowOf } from '../../../kernel/imports/import-kind.ts'
import { maxRows, portionRows } from '../../../kernel/imports/import-runs.ts'
import { readSheet } from '../../../kernel/uploads/sheet.ts'
import { runTrial } from '../../../kernel/uploads/trial.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { clientImport } from './client.import-kind.ts'
import { columnKeys, guessColumns, importFields } from './columns.ts'
import type { ImportInput } from './portion.ts'

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
  return { data: { headings, guess: guessColumns(headings), fields: importFields, rows, portion: portionRows } }
}

export const importAnswer = z.strictObject({
  dryRun: z.boolean(),
  rows: z.array(importedRow),
})

/**
 * Makes or changes a client of each row of a portion, for other programs: assessed and written as a run of the office does it. A dry run is the same, taken back
 * at the end, so that its verdicts are those of the commit.
 */
export async function importClients(ctx: Ctx, { dryRun, rows, ...options }: ImportInput): Promise<Answer> {
  if (!clientImport.mayRun(ctx, options)) fail('FORBIDDEN')
  const assessed = await runTrial(
    ctx,
    (inner) => clientImport.write(inner, options, rows),
    () => dryRun,
  )
  return { data: { dryRun, rows: assessed.map(importedRowOf) } }
}

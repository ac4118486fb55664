import type { FieldError } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import type { NotificationKind } from '../realtime/notification-kinds.ts'
import type { Ctx } from '../types.ts'

export const importVerdicts = ['make', 'update', 'skip', 'refuse'] as const
export type ImportVerdict = (typeof importVerdicts)[number]

/** A row of a file by the fields that its columns mean; its number is the one that a spreadsheet shows. */
export interface ImportRow<Column extends string = string> {
  row: number
  values: Partial<Record<Column, string>>
}
/** What became of a row, or would. `keys`: what tells records apart, in one spelling; the same in two rows is one record twice. */
export interface ImportedRow {
  row: number
  name: string
  verdict: ImportVerdict
  problems: FieldError[]
  existing: { Id: string; name: string } | null
  keys: string[]
  /** What somebody should know of a row that is taken: at which field, and the record that it is about. */
  warnings?: ImportWarning[]
}
export interface ImportWarning extends FieldError {
  name: string
  open: string
}

/** Records of one kind that come from files: what the job of imports asks of their area. */
export interface ImportKind<Column extends string = string, Options extends z.ZodType = z.ZodType> {
  /** The area's: its routes are <name>.startImport and so on, its jobs <name>.import and <name>.forgetImport. */
  name: string
  columns: readonly [Column, ...Column[]]
  /** What is chosen for the whole file. */
  options: Options
  /** Asked when a run begins, when its trial is imported, and by the job: rights may have gone since. */
  mayRun(ctx: Ctx, options: z.infer<Options>): boolean
  /** Writes the rows in the running transaction, with a verdict on each, in their order. */
  write(ctx: Ctx, options: z.infer<Options>, rows: readonly ImportRow<Column>[]): Promise<ImportedRow[]>
  /** What is said of a row whose key an earlier row of the file has, in a trial, where the earlier one was not written. */
  twice(row: ImportedRow, key: string, first: number, options: z.infer<Options>): ImportedRow
  /** Tells the person what became of a file; `link` opens the run. */
  news: NotificationKind
  link(runId: string): string
}

/** Of what an area found out about a row, what is stored and sent. */
export const importedRowOf = ({ row, name, verdict, problems, existing, keys, warnings }: ImportedRow): ImportedRow => ({
  row,
  name,
  verdict,
  problems,
  existing,
  keys,
  ...(warnings ? { warnings } : {}),
})

export const importedRow = z.strictObject({
  row: z.int(),
  name: z.string(),
  verdict: z.enum(importVerdicts),
  problems: z.array(z.strictObject({ field: z.string(), message: z.string() })),
  /** The record that the row is about, where the caller sees it. */
  existing: z.strictObject({ Id: identifierSchema, name: z.string() }).nullable(),
  keys: z.array(z.string()),
  warnings: z.array(z.strictObject({ field: z.string(), message: z.string(), name: z.string(), open: z.string() })).optional(),
})

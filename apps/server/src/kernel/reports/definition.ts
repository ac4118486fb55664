import type { Permission } from '@outpost/contract/permissions'
import type { FieldView } from '@outpost/contract/fields'
import type { ReportChart, ReportColumnKind } from '@outpost/contract/report-preview'
import type { Statement } from '@outpost/platform/types'
import type { z } from 'zod'
import type { GeoReportTicket } from '../geo-client/report-stream.ts'
import type { Ctx } from '../types/ctx.ts'

/** How a column's values are typed in a sheet and written in CSV; `duration` is in seconds. */
export type ColumnKind = ReportColumnKind

export interface ReportColumn {
  /** Column of the statement. */
  key: string
  title: string
  kind: ColumnKind
  width?: number
  /** Of money: the key in a row that names its currency; the company's when left out. */
  currency?: string
  /** Summed in the last row. */
  total?: boolean
  /** On the screen its numbers open the records they count: the column of the statement that holds the terms, and the list's resource and screen. */
  opens?: { terms: string; resource: string; screen: string }
}

/** All that the writing thread needs: no code, so that it can be handed over. */
export type ReportPlan = PlannedSheet & (FromDatabase | FromGeo)

/** A parameter in words; `day` (YYYY-MM-DD) is written in the company's format in place of `value`. */
export interface ReportFilter {
  label: string
  value: string
  day?: string
}

/** What a file looks like, whatever its rows come from. */
export interface PlannedSheet {
  title: string
  /** What the About sheet says the figures mean. */
  definition: string
  /** Parameters as a reader understands them. */
  filters: ReportFilter[]
  /** A CSV of it holds its rows and nothing below them: one that goes back into a program. */
  isData?: boolean
}

export interface FromDatabase {
  columns: ReportColumn[]
  statement: Statement
  /** The rows have one column `row` that holds the record as JSON text. */
  isJson?: boolean
  /** Rows to expect, when that is cheap to know. */
  count?: Statement
}

/** The geo service says what the columns are. */
export interface FromGeo {
  geo: GeoReportTicket
  /** Leave to read the same page by page, for the screen. */
  pages: GeoReportTicket
}

/** A plan as it is written, once its columns are known. */
export type PlannedFile = PlannedSheet & { columns: ReportColumn[] }

/** A parameter that names a record of another resource; callers who may not list those are not asked for it. */
export interface ReportReference {
  key: string
  kind: 'reference'
  label: string
  to: string
}

export type ReportParameters = Record<string, string | number | boolean | null>

export interface ReportDefinition<Input = unknown> {
  /** Name on the wire. */
  name: string
  title: string
  description: string
  anyOf: readonly Permission[]
  /** One of these is needed beside. */
  alsoAnyOf?: readonly Permission[]
  /** And one of these. */
  andAnyOf?: readonly Permission[]
  /** Its place in the menu, where the specification has one; others follow under their titles. */
  menu?: { label: string; icon: string; order: number }
  /** Checks the parameters; wrong ones are named. */
  input: z.ZodType<Input>
  /** The parameters as fields of the screen; none for reports without a screen of their own. */
  fields: readonly (FieldView | ReportReference)[]
  plan(ctx: Ctx, input: Input): Promise<ReportPlan> | ReportPlan
  /** What is drawn of its rows; left out: the first sum by the first text. */
  chart?: ReportChart
  /** Addresses of the rows behind a row's numbers, by column. The row is as its source has it, ids included. */
  opens?(ctx: Ctx, input: Input, row: Readonly<Record<string, unknown>>): Record<string, string>
  /** Where a row was: one place, or a way. */
  places?(row: Readonly<Record<string, unknown>>): readonly (readonly [latitude: number, longitude: number])[]
}

/** Ties the plan to the type of the input and forgets that type, so that all definitions fit in one table. */
export function defineReport<Input>(definition: ReportDefinition<Input>): ReportDefinition {
  const { opens } = definition
  return {
    ...definition,
    plan: (ctx, input) => definition.plan(ctx, input as Input),
    ...(opens ? { opens: (ctx, input, row) => opens(ctx, input as Input, row) } : {}),
  } as ReportDefinition
}

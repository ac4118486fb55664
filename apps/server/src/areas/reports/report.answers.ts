import { identifierSchema } from '@outpost/contract/input'
import { reportFormats } from '@outpost/contract/report-view'
import type { ReportColumnKind, ReportPreview } from '@outpost/contract/report-preview'
import { z } from 'zod'

const time = z.iso.datetime()
const run = z.strictObject({
  Id: identifierSchema,
  report: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  format: z.enum(reportFormats),
  status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  rows: z.number(),
  totalRows: z.number().nullable(),
  fileName: z.string().nullable(),
  error: z.string().nullable(),
  dateCreated: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  hasFile: z.boolean(),
})
export const runAnswer = z.strictObject({ reportRun: run })
export const runsAnswer = z.strictObject({ reportRuns: z.array(run) })

/** `parameters`: fields of the form that asks for them. */
export const reportsAnswer = z.strictObject({
  reports: z.array(
    z.strictObject({
      Id: z.string(),
      name: z.string(),
      title: z.string(),
      description: z.string(),
      parameters: z.array(z.looseObject({ key: z.string(), kind: z.string(), label: z.string() })),
      formats: z.array(z.string()),
      screen: z.string(),
    }),
  ),
})
const columnKind = z.enum([
  'text',
  'number',
  'money',
  'percent',
  'date',
  'dateTime',
  'boolean',
  'duration',
]) satisfies z.ZodType<ReportColumnKind>
const pair = z.strictObject({ label: z.string(), value: z.string() })
export const previewAnswer = z.strictObject({
  preview: z.strictObject({
    title: z.string(),
    definition: z.string(),
    filters: z.array(pair),
    columns: z.array(z.strictObject({ key: z.string(), title: z.string(), kind: columnKind })),
    rows: z.array(z.record(z.string(), z.unknown())),
    opens: z.array(z.record(z.string(), z.string())).optional(),
    places: z.array(z.strictObject({ label: z.string(), positions: z.array(z.tuple([z.number(), z.number()])) }).nullable()).optional(),
    page: z.number(),
    size: z.number(),
    hasMore: z.boolean(),
    total: z.number().optional(),
    chart: z
      .strictObject({
        label: z.string(),
        value: z.string().optional(),
        kind: z.enum(['bars', 'line']).optional(),
        by: z.array(z.string()).optional(),
      })
      .optional(),
  }),
}) satisfies z.ZodType<{ preview: ReportPreview }>
export const requestedAnswer = z.strictObject({ runId: identifierSchema })
/** A link to the file, for this session and a short time. */
export const linkAnswer = z.strictObject({ filePath: z.string() })

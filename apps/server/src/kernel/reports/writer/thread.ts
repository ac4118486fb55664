import { Failure, type NamedError } from '@outpost/contract/errors'
import type { ReportFormat } from '@outpost/contract/report-view'
import { readerIn } from '@outpost/platform/db/context'
import { createPool } from '@outpost/platform/db/pool'
import { roleUrl } from '@outpost/platform/db/roles'
import { createLog } from '@outpost/platform/log'
import type { DbContext, Sql } from '@outpost/platform/types'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromDatabase, FromGeo, PlannedFile, PlannedSheet, ReportPlan } from '../definition.ts'
import { readGeoReport } from '../../geo-client/report-stream.ts'
import type { ReportFacts } from './about.ts'
import { writeCsv } from './csv.ts'
import { columnsFromGeo, withNames } from './geo-columns.ts'
import { writeSheet, type Row } from './sheet.ts'

/** All that a report needs to be written away from the event loop that serves requests. */
export interface WriterTask {
  databaseUrl: string
  secret: string
  context: DbContext
  plan: ReportPlan
  facts: ReportFacts
  format: ReportFormat
  path: string
}
export type WriterMessage =
  | { kind: 'total'; total: number }
  | { kind: 'rows'; rows: number }
  | { kind: 'done'; rows: number }
  /** An error of ours: it has words for whoever asked. */
  | { kind: 'refused'; error: NamedError; message: string }

const postEveryMs = 500

async function write(task: WriterTask): Promise<void> {
  const { plan } = task
  const pool = createPool({
    url: roleUrl(task.databaseUrl, 'fx_app', task.secret),
    name: 'report',
    max: 1,
    log: createLog({ level: 'error' }),
  })
  try {
    const sql = readerIn(pool, task.context)
    if ('geo' in plan) await writeFromGeo(task, plan, sql)
    else await writeFromDatabase(task, plan, sql)
  } finally {
    await pool.end()
  }
}

async function writeFromDatabase(task: WriterTask, plan: PlannedFile & FromDatabase, sql: Sql): Promise<void> {
  if (plan.count) post({ kind: 'total', total: Number((await sql.one<{ count: number }>(plan.count)).count) })
  await writeFile(task, plan, plan.isJson ? parsed(sql.stream<{ row: string }>(plan.statement)) : sql.stream<Row>(plan.statement))
}

async function writeFromGeo(task: WriterTask, plan: PlannedSheet & FromGeo, sql: Sql): Promise<void> {
  const { columns, rows } = await readGeoReport(plan.geo)
  await writeFile(task, { ...plan, columns: columnsFromGeo(columns) }, await withNames(sql, task.context.company, columns, rows))
}

/** Its layout and fonts are loaded for a PDF alone. */
const writePdf: typeof writeSheet = async (...asked) => (await import('./pdf.ts')).writePdf(...asked)
const writers = { xlsx: writeSheet, csv: writeCsv, pdf: writePdf } as const satisfies Record<ReportFormat, typeof writeSheet>

async function writeFile({ path, facts, format }: WriterTask, plan: PlannedFile, rows: AsyncIterable<Row>): Promise<void> {
  post({ kind: 'done', rows: await writers[format](path, plan, facts, rows, createTicker()) })
}

async function* parsed(rows: AsyncIterable<{ row: string }>): AsyncGenerator<Row> {
  for await (const { row } of rows) yield JSON.parse(row) as Row
}

function createTicker(): (rows: number) => void {
  let toldAt = performance.now()
  return (rows) => {
    // The clock is looked at now and then: asking it at every row would cost more than the row.
    if (rows % 100 !== 0 || performance.now() - toldAt < postEveryMs) return
    toldAt = performance.now()
    post({ kind: 'rows', rows })
  }
}

function post(message: WriterMessage): void {
  parentPort?.postMessage(message)
}

try {
  await write(workerData as WriterTask)
} catch (error) {
  // Between threads an error forgets which one it was.
  if (!(error instanceof Failure)) throw error
  post({ kind: 'refused', error: error.error, message: error.message })
}

import { Worker } from 'node:worker_threads'
import { failField } from '@outpost/contract/errors'
import { parse } from 'csv-parse/sync'
import type { FileStore } from '@outpost/platform/files/types'
import type { UploadedFile } from './form.ts'

const maxColumns = 30
/** A workbook of 2 MiB may unpack to a thousand times that: it has so much memory and time. */
const threadLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }
const threadMilliseconds = 20_000

export interface SheetTask {
  bytes: ArrayBuffer
  maxRows: number
  maxColumns: number
}
const wrong = (message: string): never => failField('file', message)

export interface SheetRow {
  /** As the spreadsheet counts: the headings are row 1. */
  number: number
  cells: string[]
}

/** The rows of a CSV or XLSX file as texts, headings first; empty rows are left out but counted. At most `maxRows` below the headings. Stops with INVALID (file). */
export async function readSheet(file: UploadedFile, store: FileStore, maxRows = 500): Promise<SheetRow[]> {
  const bytes = await bytesOf(file, store)
  const all = file.mimeType.startsWith('text/') ? readCsv(bytes.toString('utf8')) : await readWorkbook(bytes, maxRows)
  const rows = all
    .map((cells, index) => ({ number: index + 1, cells: cells.map((one) => one.trim()) }))
    .filter(({ cells }) => cells.some((one) => one !== ''))
  if (rows.length < 2) wrong('holds no rows below its headings')
  if (rows.length - 1 > maxRows) wrong(`holds more than ${maxRows} rows: divide it`)
  return rows
}

async function bytesOf(file: UploadedFile, store: FileStore): Promise<Buffer> {
  const key = await file.keep()
  try {
    const opened = await store.open(key)
    const pieces: Buffer[] = []
    for await (const piece of opened?.body ?? []) pieces.push(Buffer.from(piece as Uint8Array))
    return Buffer.concat(pieces)
  } finally {
    // Nothing of the file is kept: people's data are in the rows that it made.
    await store.remove(key)
  }
}

/** Cells of a CSV text; `field` is where it is asked for. Spreadsheets of some countries write semicolons. */
export function readCsv(text: string, field = 'file'): string[][] {
  const [first = ''] = text.split(/\r?\n/, 1)
  const delimiter = (first.match(/;/g)?.length ?? 0) > (first.match(/,/g)?.length ?? 0) ? ';' : ','
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: false, max_record_size: 20_000 })
  } catch (error) {
    return failField(field, `is no CSV: ${error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'}`)
  }
}

function readWorkbook(bytes: Buffer, maxRows: number): Promise<string[][]> {
  return new Promise((done, refuse) => {
    const task: SheetTask = { bytes: Uint8Array.from(bytes).buffer, maxRows, maxColumns }
    const thread = new Worker(new URL('./sheet.thread.ts', import.meta.url), { workerData: task, resourceLimits: threadLimits })
    const stop = (): void => void thread.terminate()
    const timer = setTimeout(stop, threadMilliseconds)
    let rows: string[][] | undefined
    thread.on('message', (read: string[][]) => void (rows = read))
    thread.on('error', stop)
    thread.on('exit', () => {
      clearTimeout(timer)
      if (rows) done(rows)
      else
        try {
          wrong('is no workbook that can be read, or too large a one')
        } catch (error) {
          refuse(error instanceof Error ? error : new Error(String(error)))
        }
    })
  })
}

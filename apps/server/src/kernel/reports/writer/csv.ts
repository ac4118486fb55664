import { guardText } from '@outpost/rules/spreadsheet'
import { stringify } from 'csv-stringify/sync'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PlannedFile, ReportColumn } from '../definition.ts'
import { aboutLines, type ReportFacts } from './about.ts'
import { decimalsIn, localClock, toCell, toCsvField } from './cells.ts'
import type { Row } from './sheet.ts'

const batchSize = 200
const byteOrderMark = '\ufeff'

/**
 * Writes a report as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets look for), and below its rows what it is. Gives the
 * number of rows.
 */
export async function writeCsv(
  path: string,
  plan: PlannedFile,
  facts: ReportFacts,
  rows: AsyncIterable<Row>,
  onRow: (count: number) => void,
): Promise<number> {
  let count = 0
  const counted = (value: number) => onRow((count = value))
  await pipeline(Readable.from(csvText(plan, facts, rows, counted)), createWriteStream(path, { mode: 0o600 }))
  return count
}

async function* csvText(
  plan: PlannedFile,
  facts: ReportFacts,
  rows: AsyncIterable<Row>,
  onRow: (count: number) => void,
): AsyncGenerator<string> {
  const local = localClock(facts.timeZone)
  let count = 0
  let batch: string[][] = []
  yield byteOrderMark + lines([plan.columns.map(({ title }) => guardText(title))])
  for await (const row of rows) {
    batch.push(plan.columns.map((column) => fieldOf(column, row, { local, currency: facts.currency })))
    onRow((count += 1))
    if (batch.length < batchSize) continue
    yield lines(batch)
    batch = []
  }
  if (batch.length > 0) yield lines(batch)
  // A blank line ends the table for programs and spreadsheets; what follows says what it is.
  if (!plan.isData)
    yield `\r\n${lines(aboutLines(plan, facts, count).map(([label, value]) => [guardText(label), guardText(String(value))]))}`
}

function fieldOf(column: ReportColumn, row: Row, { local, currency }: { local: (date: Date) => Date; currency: string }): string {
  const { key, kind } = column
  return toCsvField(toCell(row[key], kind), kind, local, kind === 'money' ? decimalsIn(column, row, currency) : undefined)
}

const lines = (records: string[][]) => stringify(records, { record_delimiter: 'windows' })

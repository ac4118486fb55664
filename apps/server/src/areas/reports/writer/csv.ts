import { stringify } from 'csv-stringify'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ReportPlan } from '../definition.ts'
import { localClock, toCell, toCsvField } from './cells.ts'
import type { ReportFacts, Row } from './sheet.ts'

/** Writes a report as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets look for). Gives the number of rows. */
export async function writeCsv(path: string, plan: ReportPlan, facts: ReportFacts, rows: AsyncIterable<Row>, onRow: (count: number) => void): Promise<number> {
  let count = 0
  const local = localClock(facts.timeZone)
  const records = async function* () {
    for await (const row of rows) {
      onRow(count += 1)
      yield plan.columns.map(({ key, kind }) => toCsvField(toCell(row[key], kind), kind, local))
    }
  }
  const columns = plan.columns.map(({ title }) => title)
  await pipeline(records, stringify({ bom: true, header: true, columns, record_delimiter: 'windows' }), createWriteStream(path, { mode: 0o600 }))
  return count
}

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import type { PlannedFile, ReportColumn } from '../definition.ts'
import { aboutLines, type ReportFacts } from './about.ts'
import { decimalsIn, localClock, toCell, type Cell } from './cells.ts'
import { dataRow, moneyStyle, packageParts, type CellStyle, sheetEnd, sheetStart } from './sheet-xml.ts'

export type Row = Record<string, unknown>

/** Excel's own limit, less heading and totals. */
const maxRows = 1_048_570
/** Rows are handed to the packer in pieces of about this many characters. */
const pieceSize = 65_536

/**
 * Writes a report as xlsx while its rows arrive: frozen heading, typed cells, totals, and an About sheet. The packer
 * asks for rows as fast as the disk takes them, so that memory stays constant. Gives the number of rows.
 */
export async function writeSheet(
  path: string,
  plan: PlannedFile,
  facts: ReportFacts,
  rows: AsyncIterable<Row>,
  onRow: (count: number) => void,
): Promise<number> {
  let count = 0
  const book = new yazl.ZipFile()
  for (const [name, text] of Object.entries(packageParts([sheetName(plan.title), 'About'], facts.formats)))
    book.addBuffer(Buffer.from(text), name)
  const counted = (value: number) => onRow((count = value))
  book.addReadStream(Readable.from(inPieces(sheetText(plan, facts, rows, counted))), 'xl/worksheets/sheet1.xml', { compressionLevel: 3 })
  // Read after the first sheet, so the number of rows is known by then.
  book.addReadStream(Readable.from(inPieces(aboutText(plan, facts, () => count))), 'xl/worksheets/sheet2.xml')
  const output = createWriteStream(path, { mode: 0o600 })
  book.on('error', (error: Error) => output.destroy(error))
  book.end()
  await pipeline(book.outputStream, output)
  return count
}

async function* sheetText(
  plan: PlannedFile,
  facts: ReportFacts,
  rows: AsyncIterable<Row>,
  onRow: (count: number) => void,
): AsyncGenerator<string> {
  const { columns } = plan
  const local = localClock(facts.timeZone)
  const totals = new Map<string, number>()
  let count = 0
  yield sheetStart(
    columns.map(({ title, width }) => width ?? Math.max(12, Math.min(title.length + 4, 40))),
    true,
  )
  yield dataRow(
    1,
    columns.map(() => 'text'),
    columns.map(({ title }) => title),
    true,
  )
  for await (const row of rows) {
    if (count === maxRows) throw new Error(`A sheet holds at most ${maxRows} rows: take CSV or narrow the filters`)
    const cells = columns.map(({ key, kind }) => placed(toCell(row[key], kind), kind, local))
    addTotals(totals, columns, cells)
    onRow((count += 1))
    yield dataRow(count + 1, stylesOf(columns, row, facts.currency), cells)
  }
  if (totals.size > 0)
    yield dataRow(
      count + 2,
      stylesOf(columns, {}, facts.currency),
      columns.map(({ key }, index) => totals.get(key) ?? (index === 0 ? 'Total' : null)),
      true,
    )
  yield sheetEnd(columns.length)
}

const stylesOf = (columns: readonly ReportColumn[], row: Row, currency: string): CellStyle[] =>
  columns.map((column) => (column.kind === 'money' ? moneyStyle(decimalsIn(column, row, currency)) : column.kind))

function placed(cell: Cell, kind: ReportColumn['kind'], local: (date: Date) => Date): Cell {
  if (kind === 'dateTime' && cell instanceof Date) return local(cell)
  // Spreadsheets count time in days.
  return kind === 'duration' && typeof cell === 'number' ? cell / 86_400 : cell
}

function addTotals(totals: Map<string, number>, columns: readonly ReportColumn[], cells: readonly Cell[]): void {
  columns.forEach(({ key, total }, index) => {
    const cell = cells[index]
    if (total && typeof cell === 'number') totals.set(key, (totals.get(key) ?? 0) + cell)
  })
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* aboutText(plan: PlannedFile, facts: ReportFacts, count: () => number): AsyncGenerator<string> {
  yield sheetStart([20, 100], false)
  for (const [index, [label, value]] of aboutLines(plan, facts, count()).entries()) {
    const kind = typeof value === 'number' ? 'number' : 'text'
    yield dataRow(index + 1, ['text', kind], [label, toCell(value, kind)])
  }
  yield sheetEnd(0)
}

/** Thousands of small strings would each be a write of their own. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceSize) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

/** Excel refuses some characters and more than 31. */
const sheetName = (title: string) =>
  title
    .replace(/[*?:\\/[\]]/g, ' ')
    .slice(0, 31)
    .trim() || 'Report'

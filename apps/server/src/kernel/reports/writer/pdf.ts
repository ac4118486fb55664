import { writeFile } from 'node:fs/promises'
import type { TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { fail } from '@outpost/contract/errors'
import { currencyOf } from '@outpost/rules/currency'
import { wordingOf } from '@outpost/rules/wording'
import type { PlannedFile, ReportColumn } from '../definition.ts'
import { pdfBytes } from '../../pdf.ts'
import { withScripts } from '../../pdf-scripts.ts'
import { localClock, toCell, toText, type Cell } from './cells.ts'
import type { ReportFacts } from './about.ts'
import type { Row } from './sheet.ts'

/** A PDF is laid out as a whole, in memory: more rows are for a sheet. */
const maxRows = 2_000
/** Columns of numbers and times are as wide as they are; these share what is left. */
const wide = new Set<ReportColumn['kind']>(['text'])

/**
 * Writes a report as PDF: title, what was asked for, the table with its heading on every page, totals, and what the figures mean.
 * Coordinates are left out: paper is read by names. Stops with TOO_LARGE beyond 2,000 rows. Gives the number of rows.
 */
export async function writePdf(
  path: string,
  { columns, ...plan }: PlannedFile,
  facts: ReportFacts,
  rows: AsyncIterable<Row>,
  onRow: (count: number) => void,
): Promise<number> {
  const shown = columns.filter(({ key }) => !/(?:lat|long)itude$/i.test(key))
  const write = cellWriter(facts)
  const body: TableCell[][] = []
  const totals = new Map<string, number>()
  for await (const row of rows) {
    if (body.length === maxRows)
      fail('TOO_LARGE', { message: `A PDF holds at most ${maxRows} rows: take XLSX or CSV, or ask for fewer days.` })
    body.push(shown.map((column) => write(column, row, toCell(row[column.key], column.kind))))
    for (const { key, total } of shown)
      if (total && Number.isFinite(Number(row[key]))) totals.set(key, (totals.get(key) ?? 0) + Number(row[key]))
    onRow(body.length)
  }
  const count = body.length
  if (totals.size > 0 && count > 0)
    body.push(
      shown.map((column, index) => {
        const cell = totals.has(column.key) ? write(column, {}, round(totals.get(column.key) ?? 0)) : { text: index === 0 ? 'Total' : '' }
        return { ...cell, bold: true }
      }),
    )
  await writeFile(path, await pdfBytes(documentOf({ ...plan, columns: shown }, facts, { body, count })), { mode: 0o600 })
  return count
}

const round = (value: number) => Math.round(value * 1_000) / 1_000

/** Cells as a person reads them, in the formats of the company. */
function cellWriter(facts: ReportFacts): (column: ReportColumn, row: Row, cell: Cell) => { text: string; alignment?: 'right' } {
  const local = localClock(facts.timeZone)
  const wording = wordingOf(facts)
  return (column, row, cell) => {
    const { kind } = column
    if (typeof cell === 'number' && kind === 'percent')
      return { text: `${wording.number(Math.round(cell * 1_000) / 10)} %`, alignment: 'right' }
    if (typeof cell === 'number' && kind === 'money')
      return { text: wording.plainMoney(cell, currencyOf(column.currency, row, facts.currency)), alignment: 'right' }
    if (typeof cell === 'number' && kind === 'number') return { text: wording.number(cell), alignment: 'right' }
    if (cell instanceof Date) return { text: kind === 'date' ? wording.day(cell.toISOString()) : wording.moment(cell) }
    const text = toText(cell, kind, local)
    return kind === 'duration' ? { text, alignment: 'right' } : { text }
  }
}

interface Written {
  body: TableCell[][]
  count: number
}

function documentOf(plan: PlannedFile, facts: ReportFacts, { body, count }: Written): TDocumentDefinitions {
  const { columns } = plan
  const isBig = columns.length > 12
  const asked = plan.filters.map(({ label, value }) => `${label}: ${value}`).join(' · ')
  const heading = columns.map(({ title }) => ({ text: title, bold: true, fillColor: '#eeeeee' }))
  return {
    info: { title: plan.title, author: facts.companyName },
    pageSize: isBig ? 'A3' : 'A4',
    pageOrientation: 'landscape',
    pageMargins: [28, 32, 28, 36],
    defaultStyle: { fontSize: 7, lineHeight: 1.1 },
    footer: (page, pages) =>
      withScripts({
        text: `${facts.companyName} · ${plan.title} · page ${page} of ${pages}`,
        alignment: 'center',
        fontSize: 7,
        color: '#555555',
      }),
    content: withScripts([
      { text: plan.title, fontSize: 16, bold: true },
      {
        text: [facts.companyName, facts.tenantName, asked, `${count} ${count === 1 ? 'row' : 'rows'}`].filter(Boolean).join(' · '),
        margin: [0, 4, 0, 8],
      },
      ...(count === 0
        ? [{ text: 'Nothing found', italics: true }]
        : [
            {
              table: {
                headerRows: 1,
                dontBreakRows: true,
                widths: columns.map(({ kind }) => (wide.has(kind) ? '*' : 'auto')),
                body: [heading, ...body],
              },
              layout: 'lightHorizontalLines',
            },
          ]),
      { text: plan.definition, margin: [0, 10, 0, 2], color: '#555555' },
      {
        text: `As of ${wordingOf(facts).moment(new Date(facts.asOf))} (${facts.timeZone}), made by ${facts.generatedBy}`,
        color: '#555555',
      },
    ]),
  }
}

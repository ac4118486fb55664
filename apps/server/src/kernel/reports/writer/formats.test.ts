import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ExcelJS from 'exceljs'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { readFormats } from '@outpost/rules/formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlannedFile } from '../definition.ts'
import { writePdf } from './pdf.ts'
import { writeSheet } from './sheet.ts'

let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'outpost-formats-'))))
afterAll(() => rm(folder, { recursive: true }))

const formats = readFormats({ date: 'DD.MM.YYYY', number: "1'234.56", currency: 'code' })
const facts = { reportName: 'Paid', companyName: 'Sunrise', tenantName: 'Sunrise', currency: 'KES', timeZone: 'Africa/Nairobi' }
const asked = { ...facts, generatedBy: 'Maria', asOf: '2026-11-05T21:30:00Z', formats }
const plan: PlannedFile = {
  title: 'Paid',
  definition: 'What was paid.',
  filters: [],
  columns: [
    { key: 'on', title: 'On', kind: 'date' },
    { key: 'at', title: 'At', kind: 'dateTime' },
    { key: 'amount', title: 'Amount', kind: 'money', total: true },
    { key: 'count', title: 'Count', kind: 'number' },
    { key: 'share', title: 'Share', kind: 'percent' },
  ],
}
async function* rows() {
  yield await Promise.resolve({ on: '2026-11-05', at: '2026-11-05T21:30:00Z', amount: 1234.5, count: 20_000, share: 0.125 })
}

test('a PDF writes cells, totals and the moment as the company does', async () => {
  const path = join(folder, 'a.pdf')
  await writePdf(path, plan, asked, rows(), () => {})
  const document = await getDocument({ data: new Uint8Array(await readFile(path)), verbosity: 0 }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  await document.destroy()
  const text = items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
  expect(text).toContain("05.11.2026 06.11.2026 00:30 1'234.50 20'000 12.5 % Total 1'234.50")
  expect(text).toContain('As of 06.11.2026 00:30 (Africa/Nairobi)')
})

test('a sheet shows days as the company does, and keeps them as days', async () => {
  const path = join(folder, 'a.xlsx')
  await writeSheet(path, plan, asked, rows(), () => {})
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(path)
  const [sheet, about] = book.worksheets
  expect([sheet?.getCell('A2').numFmt, sheet?.getCell('B2').numFmt]).toEqual(['dd.mm.yyyy', 'dd.mm.yyyy hh:mm'])
  expect(sheet?.getCell('A2').value).toEqual(new Date('2026-11-05T00:00:00Z'))
  expect(about?.getCell('B3').value).toBe('06.11.2026 00:30')
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import ExcelJS from 'exceljs'
import { expect, test } from 'vitest'
import type { PlannedFile } from '../definition.ts'
import { readFormats } from '@outpost/rules/formats'
import { guardText } from '@outpost/rules/spreadsheet'
import { localClock, toCell, toCsvField } from './cells.ts'
import { writeCsv } from './csv.ts'
import { writeSheet } from './sheet.ts'
import { dataRow, escapeXml, packageParts } from './sheet-xml.ts'

const facts = {
  reportName: '',
  companyName: '',
  tenantName: '',
  currency: 'UGX',
  timeZone: 'UTC',
  generatedBy: '',
  asOf: '2026-01-01',
  formats: readFormats(),
}
const named = { title: 'Names', definition: 'Names', filters: [] }

const payloads = [
  '=1+1',
  '=HYPERLINK("http://evil")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\0=1',
  "=cmd|' /C calc'!A0",
  '-2+3+cmd',
  '=IMPORTXML("x")',
  '@',
  '+',
  '-',
  '=',
  '==',
  '+-1',
  '=\t',
  '-@',
  '=A1',
]

test('20 payloads are no formulas in a CSV file, in headings and cells', async () => {
  expect(payloads).toHaveLength(20)
  for (const payload of payloads) expect(guardText(payload).startsWith("'")).toBe(true)
  expect(guardText('0712')).toBe('0712')
  expect(guardText('a=b')).toBe('a=b')
  expect(guardText('a\0b')).toBe('ab')
  const folder = await mkdtemp(join(tmpdir(), 'outpost-guard-'))
  const rows = Readable.from([...payloads.map((name) => ({ name })), { name: '0712' }])
  await writeCsv(
    join(folder, 'a.csv'),
    { ...named, isData: true, columns: [{ key: 'name', title: '=Name', kind: 'text' }] },
    facts,
    rows,
    () => undefined,
  )
  const written = (await readFile(join(folder, 'a.csv'), 'utf8')).slice(1).split(/\r\n(?=["']|0712)/)
  expect(written).toHaveLength(22)
  expect(written.filter((field) => !/^"?'/.test(field))).toEqual(['0712\r\n'])
  await rm(folder, { recursive: true, force: true })
})

test('a workbook holds them as text without a sign, marked as text for who edits them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-guard-'))
  const columns: PlannedFile['columns'] = [
    { key: 'name', title: '=Name', kind: 'text' },
    { key: 'count', title: 'Count', kind: 'number' },
  ]
  const rows = Readable.from([...payloads.map((name) => ({ name, count: name })), { name: 'Anna', count: -1 }])
  await writeSheet(join(folder, 'a.xlsx'), { ...named, columns }, facts, rows, () => undefined)
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(join(folder, 'a.xlsx'))
  const sheet = book.getWorksheet(named.title)!
  // Line ends are XML's; NUL is a sign that it cannot hold.
  const told = payloads.map((payload) => payload.replace('\r', '\n').replace('\0', ''))
  const cells = told.map((_, index) => sheet.getCell(`A${index + 2}`))
  expect(cells.map(({ value }) => value)).toEqual(told)
  expect(cells.map(({ type }) => type)).toEqual(told.map(() => ExcelJS.ValueType.String))
  expect([sheet.getCell('A1').value, sheet.getCell('A22').value, sheet.getCell('B22').value]).toEqual(['=Name', 'Anna', -1])
  await rm(folder, { recursive: true, force: true })
})

test('the mark is quotePrefix, on text that begins like a formula and on nothing else', () => {
  const formats = packageParts(['Sheet'], facts.formats)['xl/styles.xml']!.match(/<xf (?=[^>]*applyNumberFormat)[^>]*>/g)!
  const isMarked = (row: string) => [...row.matchAll(/ s="(\d+)"/g)].map(([, style]) => formats[Number(style)]!.includes('quotePrefix="1"'))
  expect(payloads.filter((payload) => !isMarked(dataRow(1, ['text'], [payload]))[0])).toEqual([])
  expect(isMarked(dataRow(1, ['text', 'number', 'money', 'text', 'date'], ['=a', '-b', -1, 'a=b', new Date(0)]))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  const bold = dataRow(1, ['text', 'text'], ['=a', 'a'], true)
  expect(isMarked(bold)).toEqual([true, false])
  expect([...bold.matchAll(/ s="(\d+)"/g)].map(([, style]) => / fontId="1"/.test(formats[Number(style)]!))).toEqual([true, true])
})

test('values become cells of their kind', () => {
  expect(toCell('12.50', 'money')).toBe(12.5)
  expect(toCell('=1', 'number')).toBe('=1')
  expect(toCell(null, 'number')).toBeNull()
  expect(toCell('2026-01-02', 'date')).toEqual(new Date('2026-01-02'))
  expect(toCell('-never', 'dateTime')).toBe('-never')
  expect(toCell(['a', 'b'], 'text')).toBe('a, b')
  expect(toCell({ a: 1 }, 'text')).toBe('{"a":1}')
})

test('times are shown on the clock of the company, in summer and in winter', () => {
  const nairobi = localClock('Africa/Nairobi')
  expect(nairobi(new Date('2026-01-01T21:30:00Z')).toISOString()).toBe('2026-01-02T00:30:00.000Z')
  const berlin = localClock('Europe/Berlin')
  expect(toCsvField(new Date('2026-07-01T12:00:00Z'), 'dateTime', berlin)).toBe('2026-07-01 14:00')
  expect(toCsvField(new Date('2026-01-01T12:00:00Z'), 'dateTime', berlin)).toBe('2026-01-01 13:00')
  expect(toCsvField(true, 'boolean', berlin)).toBe('Yes')
})

test('XML holds no signs of its own and nothing that it cannot hold', () => {
  expect(escapeXml('<a & "b">\u0001\ud800x😀')).toBe('&lt;a &amp; &quot;b&quot;&gt;x😀')
})

test('writes linked records by name and lines by what they hold', () => {
  expect(
    toCell(
      [
        { Id: 'a', label: 'Asha' },
        { Id: 'b', label: 'Barasa' },
      ],
      'text',
    ),
  ).toBe('Asha, Barasa')
  expect(
    toCell(
      [
        { Id: 'l', accountId: 'x', accountIdLabel: 'Cash', amount: 12.5, note: null },
        { Id: 'm', accountId: 'y', accountIdLabel: 'Loans', amount: 3 },
      ],
      'text',
    ),
  ).toBe('Cash 12.5, Loans 3')
  expect(toCell({ step: 2 }, 'text')).toBe('{"step":2}')
})

test('amounts have the decimals of the currency that their row names, else of the company', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-money-'))
  const plan: PlannedFile = {
    title: 'Loans',
    definition: 'Loans',
    filters: [],
    isData: true,
    columns: [
      { key: 'name', title: 'Name', kind: 'text' },
      { key: 'amount', title: 'Amount', kind: 'money', currency: 'currencyCode' },
      { key: 'fee', title: 'Fee', kind: 'money', total: true },
    ],
  }
  const rows = () =>
    Readable.from([
      { name: 'a', amount: '1250.5', currencyCode: 'KES', fee: '300.0000' },
      { name: 'b', amount: 1_250, currencyCode: null, fee: 0.5 },
      { name: 'c', amount: 1, currencyCode: 'KWD', fee: null },
    ])
  await writeCsv(join(folder, 'a.csv'), plan, facts, rows(), () => undefined)
  // An amount that its currency cannot have is not made to look as if it had none.
  expect((await readFile(join(folder, 'a.csv'), 'utf8')).slice(1)).toBe('Name,Amount,Fee\r\na,1250.50,300\r\nb,1250,0.5\r\nc,1.000,\r\n')
  await writeSheet(join(folder, 'a.xlsx'), plan, facts, rows(), () => undefined)
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(join(folder, 'a.xlsx'))
  const shown = (['B', 'C'] as const).map((column) =>
    [2, 3, 4, 5].map((row) => {
      const { value, numFmt } = book.getWorksheet('Loans')!.getCell(`${column}${row}`)
      return value === null ? null : [value, numFmt]
    }),
  )
  expect(shown).toEqual([
    [[1250.5, '#,##0.00'], [1250, '#,##0'], [1, '#,##0.000'], null],
    [[300, '#,##0'], [0.5, '#,##0'], null, [300.5, '#,##0']],
  ])
  await rm(folder, { recursive: true, force: true })
})

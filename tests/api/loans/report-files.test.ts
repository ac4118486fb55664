import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startJobs } from '../../../apps/server/src/kernel/jobs/index.ts'
import { until } from '../../support/until.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
let url = ''
let jobs: { close(): Promise<void> }

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  const { app } = lending.world
  const there = async (days: number, tenant = lending.world.team) =>
    (await lending.running(dayFrom(days), { clientId: await lending.client(tenant) })).Id
  const [, paid] = [await there(-101), await there(-75), await there(-20)]
  await there(-76, lending.world.other)
  await lending.pay(paid, 424.5, dayFrom(-3))
  // Books as if the days had passed: each entry lies on its day.
  for (const table of ['ledger_entry', 'loan_transaction']) await lending.rows(`update ${table} set "bookedOn" = "valueOn"`)
  url = await app.listen()
  const { services, queueStore, log } = app.machine
  jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 200 })
})
afterAll(async () => {
  await jobs.close()
  await lending.world.app.close()
})

interface Preview {
  title: string
  columns: { key: string; title: string; kind: string }[]
  rows: Record<string, string | number>[]
}
const previewOf = async (report: string, parameters: object) => {
  const answer = await as.admin.post<{ preview: Preview }>('/api/reports/preview', { report, parameters })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.preview
}
async function fileOf(report: string, parameters: object, format: 'xlsx' | 'csv'): Promise<ArrayBuffer> {
  const asked = await as.admin.post<{ runId: string }>('/api/reports/run', { report, parameters, format })
  expect(asked.status, asked.text).toBe(202)
  const path = `/api/reports/runs/${asked.body.data.runId}`
  const state = async () => (await as.admin.get<{ reportRun: { status: string } }>(path)).body.data.reportRun.status
  await until(async () => (await state()) === 'done')
  const { filePath } = (await as.admin.post<{ filePath: string }>(`${path}/link`)).body.data
  const file = await fetch(`${url}${filePath}`)
  expect(file.status).toBe(200)
  return file.arrayBuffer()
}

type Cell = string | number | undefined
async function sheetOf(title: string, file: ArrayBuffer): Promise<Cell[][]> {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(file)
  return (book.getWorksheet(title)?.getSheetValues() ?? []).slice(1).map((row) => (row as Cell[]).slice(1))
}
/** The rows above the words that say what the report is. */
function linesOf(file: ArrayBuffer): Cell[][] {
  const [table = ''] = new TextDecoder().decode(file).split('\r\n\r\n')
  return table.split('\r\n').map((line) => line.match(/(?<=^|,)(?:"[^"]*"|[^,]*)/g)?.map((cell) => cell.replaceAll('"', '')) ?? [])
}

/** What a file says row by row, its numbers as numbers to the cent or the ten-thousandth. */
const said = (columns: Preview['columns'], cells: readonly Cell[]) =>
  columns.map(({ kind }, place) => {
    const cell = cells[place]
    if (kind === 'text') return String(cell).replace(/^'/, '').trim()
    return Number(Number(cell).toFixed(kind === 'percent' ? 4 : 2))
  })

describe('a loan report as a file', () => {
  const period = { startDate: dayFrom(-60), endDate: dayFrom(0) }

  it.each([
    ['parVarThirtyReport', {}],
    ['parVarThirtyReport', { by: 'product' }],
    ['collectionsSummaryReport', period],
    ['tenantLoansReport', period],
    ['tenantLoansReport', { ...period, by: 'officer' }],
  ])('%s %o holds the rows of the preview, in a workbook and as text', async (report, parameters) => {
    const { title, columns, rows } = await previewOf(report, parameters)
    const shown = rows.map((row) =>
      said(
        columns,
        columns.map(({ key }) => row[key]),
      ),
    )
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.flat().some((value) => typeof value === 'number' && value > 0)).toBe(true)
    for (const table of [
      await sheetOf(title, await fileOf(report, parameters, 'xlsx')),
      linesOf(await fileOf(report, parameters, 'csv')),
    ]) {
      const [heading = [], ...lines] = table
      expect(heading.map((cell) => String(cell).replace(/^\uFEFF/, ''))).toEqual(columns.map((column) => column.title))
      expect(lines.map((line) => said(columns, line))).toEqual(shown)
    }
  })
})

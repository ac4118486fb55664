import { parentPort, workerData } from 'node:worker_threads'
import ExcelJS from 'exceljs'
import type { SheetTask } from './sheet.ts'

const { Workbook } = ExcelJS
const { bytes, maxRows, maxColumns } = workerData as SheetTask

/** A day is written as one, whatever zone the machine is in. */
const textOf = ({ value, text }: ExcelJS.Cell) => (value instanceof Date ? value.toISOString().slice(0, 10) : text)

/** The cells of the first sheet as texts: formulas by what they show. */
const workbook = new Workbook()
await workbook.xlsx.load(bytes)
const rows: string[][] = []
workbook.worksheets[0]?.eachRow({ includeEmpty: true }, (row, number) => {
  // One more than is allowed says that there are more.
  if (number > maxRows + 2) return
  rows.push(Array.from({ length: Math.min(row.cellCount, maxColumns) }, (_, index) => textOf(row.getCell(index + 1))))
})
parentPort?.postMessage(rows)

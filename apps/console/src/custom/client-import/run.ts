import type { CallData } from '@outpost/client/client'
import { call } from '../../data/calls.ts'

export type Sheet = CallData<'clients.readImport'>
export type Field = Sheet['fields'][number]['key']
export type SheetRow = Sheet['rows'][number]
export type ImportedRow = CallData<'clients.import'>['rows'][number]
export type Duplicates = 'refuse' | 'skip' | 'update'

interface Run {
  rows: readonly SheetRow[]
  /** What each column is; null is left out. */
  mapping: readonly (Field | null)[]
  duplicates: Duplicates
  dryRun: boolean
  portion: number
  /** Says so before each portion. */
  isCancelled: () => boolean
  onDone: (judged: readonly ImportedRow[]) => void
}

/** Sends rows in portions, one after the other, and reports the result of each portion; ends early when it is cancelled. */
export async function runImport({ rows, mapping, duplicates, dryRun, portion, isCancelled, onDone }: Run): Promise<void> {
  const first = new Map<string, number>()
  for (let from = 0; from < rows.length && !isCancelled(); from += portion) {
    const sent = rows.slice(from, from + portion).map(({ row, cells }) => ({ row, values: valuesOf(cells, mapping) }))
    const { data } = await call('clients.import', { body: { dryRun, duplicates, rows: sent } })
    // A trial leaves nothing behind: the office cannot know what an earlier portion would have made.
    onDone(dryRun ? data.rows.map((one) => knownFrom(first, one, duplicates)) : data.rows)
  }
}

function valuesOf(cells: readonly string[], mapping: readonly (Field | null)[]): Partial<Record<Field, string>> {
  return Object.fromEntries(mapping.flatMap((field, index) => (field && cells[index] ? [[field, cells[index]]] : [])))
}

const typed: Readonly<Record<string, string>> = { trimmedPhonenumber: 'phonenumber' }

function knownFrom(first: Map<string, number>, judged: ImportedRow, duplicates: Duplicates): ImportedRow {
  if (judged.verdict !== 'make' && judged.verdict !== 'update') return judged
  const problems = judged.keys.flatMap((key) => {
    const [column = ''] = key.split(' ')
    const earlier = first.get(key)
    return earlier === undefined ? [] : [{ field: typed[column] ?? column, message: `is that of row ${earlier} too` }]
  })
  if (problems.length > 0) return { ...judged, verdict: duplicates === 'skip' ? 'skip' : 'refuse', problems }
  for (const key of judged.keys) first.set(key, judged.row)
  return judged
}

/** Rows that were not taken as a file of their own, with what is wrong with each: it is put right there and chosen again. */
export function leftOver({ headings, rows }: Sheet, judged: readonly ImportedRow[], heading: string): string {
  const reasons = new Map(
    judged
      .filter(({ verdict }) => verdict === 'refuse' || verdict === 'skip')
      .map(({ row, problems }) => [row, problems.map(({ field, message }) => `${field} ${message}`).join('; ')]),
  )
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  return [
    quoted([...headings, heading]),
    ...rows.flatMap(({ row, cells }) => (reasons.has(row) ? [quoted([...cells, reasons.get(row) ?? ''])] : [])),
  ].join('\r\n')
}

import type { CallData } from '@outpost/client/client'
import { quotedField } from '@outpost/rules/spreadsheet'
import { call } from '../../data/calls.ts'

export type Sheet = CallData<'clients.readImport'>
export type Field = Sheet['fields'][number]['key']
/** A file that is taken in by a job of the office: its trial, or the import. */
export type Run = CallData<'clients.getImport'>['run']
export type ImportedRow = Run['rows'][number]
export type Duplicates = 'refuse' | 'skip' | 'update'

export const isBusy = ({ status }: Run): boolean => status === 'queued' || status === 'running'

export interface Start {
  fileName: string
  sheet: Sheet
  /** What each column is; null is left out. */
  mapping: readonly (Field | null)[]
  duplicates: Duplicates
}

/** Hands the rows of a file to the office, which tries them. */
export async function startRun({ fileName, sheet, mapping, duplicates }: Start): Promise<Run> {
  const rows = sheet.rows.map(({ row, cells }) => ({ row, cells }))
  const body = { fileName, headings: sheet.headings, mapping: [...mapping], options: { duplicates }, rows }
  return (await call('clients.startImport', { body })).data.run
}
export const readRun = async (id: string): Promise<Run> => (await call('clients.getImport', { params: { id } })).data.run

export type Step = 'commit' | 'cancel' | 'resume'
const calls = { commit: 'clients.commitImport', cancel: 'clients.cancelImport', resume: 'clients.resumeImport' } as const
export const takeStep = async (id: string, step: Step): Promise<Run> => (await call(calls[step], { params: { id } })).data.run

/** Rows that were not taken as a file of their own, with what is wrong with each: it is put right there and chosen again. No cell of it is a formula. */
export function leftOver({ headings, rows }: Run, heading: string): string {
  const quoted = (cells: readonly string[]) => cells.map(quotedField).join(',')
  const left = rows.filter(({ verdict }) => verdict === 'refuse' || verdict === 'skip').toSorted((a, b) => a.row - b.row)
  return [
    quoted([...headings, heading]),
    ...left.map(({ cells, problems }) => quoted([...cells, problems.map(({ field, message }) => `${field} ${message}`).join('; ')])),
  ].join('\r\n')
}

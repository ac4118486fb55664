import type { FieldView } from './fields.ts'

/** Files that a report is written as. */
export const reportFormats = ['xlsx', 'csv', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** The screen of one report: what it is asked with, and the files it is written as. */
export interface ReportView {
  kind: 'report'
  title: string
  report: string
  description: string
  parameters: FieldView[]
  formats: ReportFormat[]
}

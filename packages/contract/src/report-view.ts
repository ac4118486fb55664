import type { FieldView } from './fields.ts'

/** The screen of one report: what it is asked with, and the files it is written as. */
export interface ReportView {
  kind: 'report'
  title: string
  report: string
  description: string
  parameters: FieldView[]
  formats: ('xlsx' | 'csv')[]
}

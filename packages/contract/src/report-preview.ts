/** How the values of a report's column are meant: `percent` from 0 to 1, `duration` in seconds. */
export type ReportColumnKind = 'text' | 'number' | 'money' | 'percent' | 'date' | 'dateTime' | 'boolean' | 'duration'

/** The first rows of a report before its file is asked for: data.preview of POST /api/reports/preview. */
export interface ReportPreview {
  title: string
  /** What the figures mean. */
  definition: string
  /** Parameters as a reader understands them. */
  filters: { label: string; value: string }[]
  columns: { key: string; title: string; kind: ReportColumnKind }[]
  rows: Record<string, unknown>[]
  /** Addresses of the lists behind the numbers, by column, for each row. */
  opens?: Record<string, string>[]
  /** There are rows beyond those shown. */
  hasMore: boolean
  /** All rows, where that is cheap to know. */
  total?: number
  /** Columns of a drawing: what a mark is called and how much it is. */
  chart?: { label: string; value: string }
}

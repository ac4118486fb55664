/** How the values of a report's column are meant: `percent` from 0 to 1, `duration` in seconds. */
export type ReportColumnKind = 'text' | 'number' | 'money' | 'percent' | 'date' | 'dateTime' | 'boolean' | 'duration'

/** What is drawn of the rows: what a mark is called, how much it is (left out: how many rows), and for lines which series it is of. */
export interface ReportChart {
  label: string
  value?: string
  kind?: 'bars' | 'line'
  by?: string[]
}

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
  /** Where each row was, one place or a way; null where that is not known. */
  places?: ({ label: string; positions: [latitude: number, longitude: number][] } | null)[]
  /** From 1; `size` rows each. */
  page: number
  size: number
  /** There are rows beyond those shown. */
  hasMore: boolean
  /** All rows, where that is cheap to know. */
  total?: number
  /** Columns of a drawing. */
  chart?: ReportChart
}

import type { CallView } from './call-view.ts'

/** Money of the company, or a share of a hundred. */
export type WidgetUnit = 'money' | 'percent'

/** One tile of a dashboard: a number, a drawing or a table, with the call that fills it. */
export interface WidgetView {
  id: string
  title: string
  draw: 'number' | 'bars' | 'donut' | 'line' | 'table' | 'funnel' | 'map'
  source: CallView
  value: string
  labelKey?: string
  valueKey?: string
  /** Of a line: key of the value as many days before, drawn beside it. */
  beforeKey?: string
  /** A click opens this screen; `:key` is filled from the clicked row. */
  open?: string
  /** Of a line with `beforeKey`: the screen behind the sum of the days before. */
  openBefore?: string
  /** Key of a row that holds the address a click on its mark opens, instead of `open`. */
  openKey?: string
  /** The days that a drawing covers, in words. */
  period?: string
  /** What the number is counted in, when not in pieces. */
  unit?: WidgetUnit
  /** Of a table: what the numbers of these columns are counted in. */
  units?: Readonly<Record<string, WidgetUnit>>
  /** Of a table: words for the codes of its first column. */
  words?: Readonly<Record<string, string>>
  span: 6 | 8 | 12 | 16 | 24
}

/** What a dashboard that people arrange may show, and the ids of what it begins with, in their order. */
export interface BoardView {
  board: string
  widgets: WidgetView[]
  first: string[]
}

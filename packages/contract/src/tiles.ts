/** What a tile that counts rows shows: a widget's `value` may lead to one instead of to a number. */
export interface TileFigure {
  value: number
  /** The same over as many days before. */
  before?: number
  /** The days counted, in words. */
  period: string
  /** The list of the rows that it counts. */
  open: string
}

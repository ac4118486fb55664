import { range } from 'es-toolkit/math/range'
import type { Row, RecordsPage, Source } from '../../../data/records.ts'

/** A place in the list whose page has not come yet. */
export interface Gap {
  isGap: true
  index: number
  page: number
}
export type ListRow = Row | Gap

export const isGap = (row: ListRow): row is Gap => (row as Partial<Gap>).isGap === true
export const isRow = (row: ListRow): row is Row => !isGap(row)

/** Rows the screen offers to scroll through; beyond them a search is the better way. */
export const maxRows = 100_000

export interface Laid {
  rows: ListRow[]
  total: number
  isEstimated: boolean
  source: Source | null
  isCut: boolean
}

/**
 * All places of a list, loaded pages filled in, the others as gaps: the scroll bar is true and any place can be
 * jumped to. A page that came short is the end, whatever the count said.
 */
export function layPages(pages: ReadonlyMap<number, RecordsPage>, size: number): Laid {
  const newest = [...pages.values()].at(-1)
  if (!newest) return { rows: [], total: 0, isEstimated: false, source: null, isCut: false }
  const total = endOf(pages, size) ?? Math.max(newest.meta.total, ...[...pages.keys()].map((page) => page * size))
  const rows = Array.from({ length: Math.min(total, maxRows) }, (_, index): ListRow => {
    const page = Math.floor(index / size) + 1
    return pages.get(page)?.rows[index % size] ?? { isGap: true, index, page }
  })
  const isEstimated = newest.meta.estimated === true && endOf(pages, size) === null
  return { rows, total, isEstimated, source: newest.source, isCut: total > maxRows }
}

/** Number of rows once a page came short; null while the end is not known by sight. */
function endOf(pages: ReadonlyMap<number, RecordsPage>, size: number): number | null {
  const ends = [...pages].filter(([, page]) => page.rows.length < size).map(([number, page]) => (number - 1) * size + page.rows.length)
  if (ends.length > 0) return Math.min(...ends)
  const exact = [...pages.values()].at(-1)?.meta
  return exact && !exact.estimated ? exact.total : null
}

/** Pages that hold the rows on the screen, with one row of run-up on both sides. */
export function pagesAround(firstRow: number, lastRow: number, size: number, total: number): number[] {
  const first = Math.max(1, Math.floor((firstRow - 10) / size) + 1)
  const most = Math.max(1, Math.ceil(Math.min(total, maxRows) / size))
  const last = Math.min(most, Math.floor((lastRow + 10) / size) + 1)
  return range(first, Math.max(first, last) + 1)
}

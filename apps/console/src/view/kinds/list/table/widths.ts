import type { ListView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { t } from '../../../../session/labels.ts'
import { fieldKindView } from '../../../fields/index.ts'
import { isBlank } from '../../../formats.ts'
import { drawnColumns, minWidth, usualWidth } from './columns.ts'
import type { ColumnState, Density } from './columns.ts'

/** Widths of a column in pixels: what its kind of field likes, and what its heading and words need. */
export interface ColumnWidths {
  key: string
  usual: number
  least: number
}
/** Width of a text in pixels, as headings and cells are written. */
export type MeasureText = (text: string, weight: 'normal' | 'bold') => number

const minTitleWidth = 140
const sorterWidth = 24
/** Blank space on both sides of a cell, and a little for what letters take beyond their box. */
const paddings: Record<Density, number> = { compact: 20, medium: 20, comfortable: 36 }

interface Measuring {
  view: Pick<ListView, 'columns' | 'fields' | 'titleKey'>
  columns: readonly ColumnState[]
  density: Density
  currency: string
  /** Rows whose words are measured. */
  rows: readonly Row[]
  measure: MeasureText
}

/** Widths of the columns on the screen. A heading is never cut; a width that the user chose is kept. */
export function columnWidths({ view, columns, density, currency, rows, measure }: Measuring): ColumnWidths[] {
  const drawn = drawnColumns(view, columns)
  const titleKey = drawn.some((column) => column.key === view.titleKey) ? view.titleKey : drawn[0]?.key
  return drawn.map(({ key, width, sortable }) => {
    const chosen = columns.find((column) => column.key === key)?.width
    if (chosen !== undefined) return { key, usual: chosen, least: chosen }
    const field = view.fields.find((one) => one.key === key) ?? { key, kind: 'text' as const, label: key }
    const kind = fieldKindView(field.kind)
    const heading = Math.ceil(measure(t(field.label), 'bold')) + paddings[density] + (sortable ? sorterWidth : 0)
    const usual = Math.max(heading, usualWidth(width, kind.width, key === titleKey))
    if (kind.besideText === undefined) return { key, usual, least: usual }
    const words = rows.map((record) => (isBlank(record[key]) ? '–' : kind.text(record[key], { field, record, currency })))
    const content = Math.ceil(Math.max(0, ...words.map((text) => measure(text, 'normal')))) + kind.besideText + paddings[density]
    return { key, usual, least: Math.min(usual, Math.max(heading, content, key === titleKey ? minTitleWidth : minWidth)) }
  })
}

/** The widths that fill the room: the usual ones where they fit, else narrower ones, down to what headings and words need. */
export function fitWidths(columns: readonly ColumnWidths[], room: number): Map<string, number> {
  const sum = (of: 'usual' | 'least') => columns.reduce((total, column) => total + column[of], 0)
  const [usual, least] = [sum('usual'), sum('least')]
  const share = usual <= room || usual === least ? 0 : Math.min(1, (usual - room) / (usual - least))
  return new Map(columns.map((column) => [column.key, Math.floor(column.usual - share * (column.usual - column.least))]))
}

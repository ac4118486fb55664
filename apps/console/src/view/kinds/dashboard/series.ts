import type { TileFigure } from '@outpost/contract/tiles'
import type { WidgetView } from '@outpost/contract/views'
import { wordsOf } from '../../formats.ts'

/** One mark of a drawing: what it is called, how much it is, and the row it came from (for links). */
export interface Mark {
  label: string
  value: number
  before?: number
  row: Record<string, unknown>
}

/** The value at a dotted path, e.g. 'totals.open'. */
export function valueAt(data: unknown, path: string): unknown {
  if (path === '') return data
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
      data,
    )
}

/** Marks of a widget from rows ([{label, value}]) or from a map of numbers ({New: 4}). */
export function marksOf(widget: Pick<WidgetView, 'value' | 'labelKey' | 'valueKey' | 'beforeKey'>, data: unknown): Mark[] {
  const found = valueAt(data, widget.value)
  const { labelKey = 'label', valueKey = 'value', beforeKey } = widget
  if (Array.isArray(found)) {
    return found
      .filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
      .map((row) => ({
        label: String(row[labelKey] ?? '–'),
        value: numberOf(row[valueKey]),
        ...(beforeKey === undefined ? {} : { before: numberOf(row[beforeKey]) }),
        row,
      }))
  }
  if (typeof found !== 'object' || found === null) return []
  return Object.entries(found).map(([label, value]) => ({ label, value: numberOf(value), row: { label, value, [labelKey]: label } }))
}

/** A number alone, or one that comes with its days and the address of its rows. */
export function figureOf(widget: Pick<WidgetView, 'value' | 'open'>, data: unknown): Partial<TileFigure> & { value: number } {
  const found = valueAt(data, widget.value)
  if (typeof found === 'object' && found !== null)
    return {
      ...(widget.open === undefined ? {} : { open: widget.open }),
      ...(found as Partial<TileFigure>),
      value: numberOf((found as { value?: unknown }).value),
    }
  return { value: numberOf(found), ...(widget.open === undefined ? {} : { open: widget.open }) }
}

export const numberOf = (value: unknown): number => (Number.isFinite(Number(value)) ? Number(value) : 0)

/** What a company calls the rest. */
const isRest = ({ label }: Mark) => /^others?$/i.test(label.trim())

/** The most marks that are shown apart; what is beyond becomes one, and that or what is called "Other" is last. */
export function topMarks(marks: readonly Mark[], most: number): Mark[] {
  const sorted = (marks.length <= most ? [...marks] : marks.toSorted((a, b) => b.value - a.value)).toSorted(
    (a, b) => Number(isRest(a)) - Number(isRest(b)),
  )
  if (marks.length <= most) return sorted
  const rest = sorted.slice(most - 1)
  return [...sorted.slice(0, most - 1), { label: `${rest.length} others`, value: rest.reduce((sum, mark) => sum + mark.value, 0), row: {} }]
}

/** A round number at or above the greatest value, so that an axis ends well. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10
  return step * power
}

/** Path of a ring's slice between two shares of a turn (0..1), clockwise from the top. */
export function slicePath(from: number, to: number, { radius, hole, centre }: { radius: number; hole: number; centre: number }): string {
  const end = Math.min(to, from + 0.9999)
  const point = (share: number, distance: number) => {
    const angle = 2 * Math.PI * share - Math.PI / 2
    return `${(centre + distance * Math.cos(angle)).toFixed(2)} ${(centre + distance * Math.sin(angle)).toFixed(2)}`
  }
  const isLarge = end - from > 0.5 ? 1 : 0
  return `M ${point(from, radius)} A ${radius} ${radius} 0 ${isLarge} 1 ${point(end, radius)} L ${point(end, hole)} A ${hole} ${hole} 0 ${isLarge} 0 ${point(from, hole)} Z`
}

/** Columns of a table widget: the keys of its first row that are no ids. */
export function tableKeys(rows: readonly Record<string, unknown>[]): { key: string; label: string }[] {
  return Object.keys(rows[0] ?? {})
    .filter((key) => !/^(id|.*Id)$/.test(key))
    .map((key) => ({ key, label: wordsOf(key) }))
}

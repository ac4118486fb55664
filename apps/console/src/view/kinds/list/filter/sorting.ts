import { maxSorts } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import type { Sort } from '../list-state.ts'

/** The sort after a click on a header: that column alone, turned round if it was sorted already. */
export function sortedBy(sorts: readonly Sort[], field: string): Sort[] {
  return [{ field, order: sorts.find((sort) => sort.field === field)?.order === 'ASC' ? 'DESC' : 'ASC' }]
}

/** The sort after a click with Shift: the column joins as the last one, turns round, and leaves at the third time. */
export function sortedAlso(sorts: readonly Sort[], field: string): Sort[] {
  const own = sorts.find((sort) => sort.field === field)
  if (!own) return sorts.length < maxSorts ? [...sorts, { field, order: 'ASC' }] : [...sorts]
  if (own.order === 'ASC') return sorts.map((sort) => (sort === own ? { field, order: 'DESC' } : sort))
  return sorts.length > 1 ? sorts.filter((sort) => sort !== own) : [{ field, order: 'ASC' }]
}

/** Place of a column among several sorted ones, from 1; undefined when it is not sorted or the only one. */
export function rankOf(sorts: readonly Sort[], field: string): number | undefined {
  const index = sorts.findIndex((sort) => sort.field === field)
  return sorts.length > 1 && index >= 0 ? index + 1 : undefined
}

/** Fields a list may be sorted by, the view's own one too when no column shows it. */
export function sortableFields(view: Pick<ListView, 'columns' | 'sort'>): string[] {
  return [...new Set([...view.columns.filter((column) => column.sortable).map((column) => column.key), view.sort.field])]
}

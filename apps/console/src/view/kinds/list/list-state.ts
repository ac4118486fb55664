import { maxSorts } from '@outpost/contract/envelope'
import type { FilterPart, ListQuery } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { textOf } from '../../address.ts'
import type { Address } from '../../address.ts'
import { parseTerms } from './filter/filter-terms.ts'
import type { ColumnState, Density } from './table/columns.ts'

export interface Sort {
  field: string
  order: 'ASC' | 'DESC'
}

/** What makes up the rows of a list; this part is kept in saved views as well. */
export interface ListFilter {
  search: string
  /** The first one counts most; never empty. */
  sort: Sort[]
  terms: FilterPart[]
  dateType?: string
  from?: string
  to?: string
}

/** The whole state of a list as the address holds it. */
export interface ListState extends ListFilter {
  savedView?: string
  /** First page on the screen, counted from 1. */
  page: number
  peek?: string
}

/** What the server keeps of a saved view under `state`. */
export interface SavedState extends Partial<Omit<ListFilter, 'sort'>> {
  /** Views saved before a list could be sorted by several columns hold one. */
  sort?: Sort[] | Sort
  columns?: ColumnState[]
  density?: Density
}

const dayPattern = /^\d{4}-\d\d-\d\d$/
const dayOf = (value: unknown) => (typeof value === 'string' && dayPattern.test(value) ? value : undefined)

/** The state a list has when nothing is asked for. */
export function plainFilter(view: ListView): ListFilter {
  return { search: '', sort: [{ ...view.sort }], terms: [], dateType: view.dateTypes?.[0]?.value }
}

/** A saved view's filter, cut to what the view still knows. */
export function savedFilter(view: ListView, saved: SavedState | undefined): ListFilter {
  const plain = plainFilter(view)
  if (!saved) return plain
  return {
    search: saved.search ?? '',
    sort: knownSorts(view, [saved.sort ?? []].flat()) ?? plain.sort,
    terms: parseTerms(view, saved.terms ?? []),
    dateType: view.dateTypes?.find((type) => type.value === saved.dateType)?.value ?? plain.dateType,
    from: dayOf(saved.from),
    to: dayOf(saved.to),
  }
}

/** Reads the address over the saved view: an entry that is there counts (also an empty one), others come from it. */
export function parseListState(view: ListView, address: Address, saved?: SavedState): ListState {
  const base = savedFilter(view, saved)
  const dateType = textOf(address.dateType)
  const page = Number(address.page)
  return {
    search: 'search' in address ? (textOf(address.search) ?? '') : base.search,
    sort: parseSort(view, address.sort) ?? base.sort,
    terms: 'filter' in address ? parseTerms(view, address.filter) : base.terms,
    dateType: view.dateTypes?.some((type) => type.value === dateType) ? dateType : base.dateType,
    from: 'from' in address ? dayOf(address.from) : base.from,
    to: 'to' in address ? dayOf(address.to) : base.to,
    savedView: textOf(address.view),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    peek: textOf(address.peek),
  }
}

/** `-dateCreated,name` is newest first, those of one moment by name. */
export function parseSort(view: ListView, value: unknown): Sort[] | undefined {
  const parts = (textOf(value) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return knownSorts(
    view,
    parts.map((part) => ({ field: part.replace(/^-/, ''), order: part.startsWith('-') ? 'DESC' : 'ASC' })),
  )
}

export const sortText = (sorts: readonly Sort[]): string => sorts.map((sort) => (sort.order === 'DESC' ? '-' : '') + sort.field).join(',')

/** Those the view allows, each field once; undefined when none is left. */
function knownSorts(view: ListView, sorts: readonly Sort[]): Sort[] | undefined {
  const known = sorts
    .filter(({ field }, index) => isSortable(view, field) && sorts.findIndex((other) => other.field === field) === index)
    .slice(0, maxSorts)
  return known.length > 0 ? known : undefined
}

function isSortable(view: ListView, field: string): boolean {
  return field === view.sort.field || view.columns.some((column) => column.key === field && column.sortable)
}

/** Entries of the address for a changed filter; what equals the base is left out, what it has and we have not is empty. */
export function filterAddress(next: ListFilter, base: ListFilter): Record<string, unknown> {
  const differs = (key: keyof ListFilter) => !isSame(next[key], base[key])
  return {
    search: differs('search') ? next.search : undefined,
    sort: differs('sort') ? sortText(next.sort) : undefined,
    filter: differs('terms') ? next.terms : undefined,
    dateType: differs('dateType') ? next.dateType : undefined,
    from: differs('from') ? (next.from ?? '') : undefined,
    to: differs('to') ? (next.to ?? '') : undefined,
    page: undefined,
  }
}

export const filterOf = ({ search, sort, terms, dateType, from, to }: ListFilter): ListFilter => ({
  search,
  sort,
  terms,
  dateType,
  from,
  to,
})

/** True when both hold the same, whatever the order of their keys. */
export function isSame(a: unknown, b: unknown): boolean {
  return sortedJson(a) === sortedJson(b)
}

function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(
            Object.entries(part)
              .filter(([, one]) => one !== undefined)
              .sort(([x], [y]) => x.localeCompare(y)),
          )
        : part,
    ) ?? 'undefined'
  )
}

/** The query of the list call, without page and size. Search travels in capitals and trimmed, as the specification says. */
export function listQuery(view: ListView, state: ListFilter): ListQuery {
  const search = state.search.trim().toUpperCase()
  return {
    sortField: state.sort.map((sort) => sort.field).join(','),
    sortOrder: state.sort.map((sort) => sort.order).join(','),
    ...(search ? { search } : {}),
    ...(state.terms.length > 0 ? { filter: state.terms } : {}),
    ...(view.dateTypes && state.dateType ? { dateType: state.dateType } : {}),
    ...(view.dateTypes && state.from ? { startDate: state.from } : {}),
    ...(view.dateTypes && state.to ? { endDate: state.to } : {}),
  }
}

/** True when something narrows the list down, so that an empty one means "nothing matches". */
export const isNarrowed = (state: ListFilter): boolean =>
  state.search.trim() !== '' || state.terms.length > 0 || state.from !== undefined || state.to !== undefined

import { isGroup } from '@outpost/contract/envelope'
import type { FilterPart, FilterTerm, ListQuery } from '@outpost/contract/envelope'
import type { KeptKind } from '@outpost/contract/sync/kept-kinds'
import type { ListView } from '@outpost/contract/views'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import type { Row } from '../data/records.ts'

/** What a list's view says that its rows do not: which periods it has, and of what kind its fields are. */
export type ListSight = Partial<Pick<ListView, 'dateTypes' | 'fields'>>
/** The same with the fields a search looks into, the clock, and what lies below which tenant. */
export interface Sight extends ListSight {
  search: readonly string[]
  /** Fields behind each period, where the view does not say it. */
  dates?: KeptKind['dates']
  now: number
  /** The company's; the device's own where it is not known. */
  timeZone?: string
  /** The first day of its week; 0 is Sunday, and Monday where it is not known. */
  weekStart?: number
  reach?: readonly { Id: string; path: string[] }[]
}

const words = (value: unknown): string => (value === null || value === undefined ? '' : String(value)).toUpperCase()
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' })
/** Times as the server writes them sort in order as text, which is a tenth of the work of comparing words. */
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)

/** Order of two values: numbers by size, everything else as text; missing values last in ascending order. */
function compare(a: unknown, b: unknown): number {
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b))
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (isTime(a) && isTime(b) && a.length === b.length) return a < b ? -1 : Number(a > b)
  return collator.compare(String(a), String(b))
}

const zoneOf = ({ timeZone }: Sight): string => timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
const startOf = (day: string, zone: string): number => timeAt(day, 0, zone)
const endOf = (day: string, zone: string): number => timeAt(addDays(day, 1), 0, zone)

/** True when the row passes one filter term, as the server would read it. */
function passes(row: Row, { field, op, value }: FilterTerm, sight: Sight): boolean {
  const held = row[field]
  if (op === 'empty' || op === 'notEmpty') return isEmpty(held) === (op === 'empty')
  const { kind, reference } = sight.fields?.find(({ key }) => key === field) ?? {}
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
  if (reference?.to === 'tenant' && op !== 'contains') return isBelow(held, list, sight) === (op !== 'ne')
  if ((kind === 'date' || kind === 'dateTime') && isDay(list[0]))
    return isOnDay(held, { field, op, value: list[0] }, kind === 'date' ? 'UTC' : zoneOf(sight))
  switch (op) {
    case 'contains':
      return Array.isArray(held)
        ? held.some((one) => list.some((wanted) => words(idOf(one)) === words(wanted)))
        : words(held).includes(words(value))
    case 'in':
    case 'eq':
      return list.some((one) => words(one) === words(held))
    case 'ne':
      return !list.some((one) => words(one) === words(held))
    case 'gte':
      return !isEmpty(held) && compare(held, list[0]) >= 0
    case 'lte':
      return !isEmpty(held) && compare(held, list[0]) <= 0
  }
}

/** True when the row fits a condition, or all or any of a group. */
function fits(row: Row, part: FilterPart, sight: Sight): boolean {
  if (!isGroup(part)) return passes(row, part, sight)
  return 'all' in part ? part.all.every((one) => fits(row, one, sight)) : part.any.some((one) => fits(row, one, sight))
}

const idOf = (one: unknown): unknown => (typeof one === 'object' && one !== null && 'Id' in one ? one.Id : one)

/** A tenant means itself and all below it; one that the device does not know means only itself. */
function isBelow(held: unknown, tenants: readonly unknown[], { reach }: Sight): boolean {
  const path = reach?.find(({ Id }) => words(Id) === words(held))?.path ?? [held]
  return tenants.some((tenant) => path.some((id) => words(id) === words(tenant)))
}

/** A day means the whole day in the zone. */
function isOnDay(held: unknown, { op, value }: FilterTerm, zone: string): boolean {
  const [at, day] = [Date.parse(String(held ?? '')), String(value)]
  if (Number.isNaN(at)) return op === 'ne'
  const [isLate, isEarly] = [at >= startOf(day, zone), at < endOf(day, zone)]
  if (op === 'gte') return isLate
  if (op === 'lte') return isEarly
  return (isLate && isEarly) === (op !== 'ne')
}

/** Whether a row lies in the period that is asked for, else in the one that the list has by itself; the period is worked out once for all rows. */
function windowTest({ startDate, endDate, dateType }: ListQuery, sight: Sight): (row: Row) => boolean {
  const type = sight.dateTypes?.find(({ value }) => value === dateType)
  const { from, to } = startDate || endDate ? windowOf({ startDate, endDate }, zoneOf(sight)) : standardOf(type?.window, sight)
  if (from === undefined && to === undefined) return () => true
  const kept = sight.dates?.[dateType ?? 'created']
  const field = type?.field ?? kept?.from ?? 'dateCreated'
  const until = type?.until ?? kept?.until ?? field
  return (row) => {
    const [start, end] = [timeOf(row[field], startOf, sight), timeOf(row[until], endOf, sight)]
    return ![start, end].some(Number.isNaN) && (from === undefined || end >= from) && (to === undefined || start < to)
  }
}

/** A time as it is; of a day its beginning or end. */
const timeOf = (value: unknown, edge: typeof startOf, sight: Sight): number =>
  isDay(value) ? edge(value, zoneOf(sight)) : Date.parse(String(value ?? ''))

interface Span {
  from?: number
  to?: number
}

const windowOf = ({ startDate, endDate }: Pick<ListQuery, 'startDate' | 'endDate'>, zone: string): Span => ({
  from: isDay(startDate) ? startOf(startDate, zone) : startDate ? Date.parse(startDate) : undefined,
  to: isDay(endDate) ? endOf(endDate, zone) : endDate ? Date.parse(endDate) + 1 : undefined,
})

/** Weeks start on the company's first day, in its zone. */
function standardOf(window: NonNullable<ListView['dateTypes']>[number]['window'], sight: Sight): Span {
  if (!window || window.kind === 'all') return {}
  const day = 86_400_000
  if (window.kind === 'around') return { from: sight.now - window.back * day, to: sight.now + window.ahead * day + 1 }
  const today = dayOf(sight.now, zoneOf(sight))
  const first = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 7 - (sight.weekStart ?? 1)) % 7))
  return { from: startOf(first, zoneOf(sight)), to: startOf(addDays(first, 7), zoneOf(sight)) }
}

/** What of a row is searched, by the row: a record in memory is replaced when it changes, and searched at every key that is pressed. */
const searchTexts = new WeakMap<Row, { fields: readonly string[]; text: string }>()

function searchTextOf(row: Row, fields: readonly string[]): string {
  const known = searchTexts.get(row)
  if (known?.fields === fields) return known.text
  const text = fields.map((field) => words(row[field])).join('\n')
  searchTexts.set(row, { fields, text })
  return text
}

/** Says of each row whether search, filters and window of a list call let it through. `%%` means no search. */
function matcher(query: ListQuery, sight: Sight): (row: Row) => boolean {
  const search = (query.search ?? '').trim().toUpperCase().replace(/^%|%$/g, '')
  const isInWindow = windowTest(query, sight)
  const filter = query.filter ?? []
  return (row) =>
    (search === '' || searchTextOf(row, sight.search).includes(search)) && filter.every((part) => fits(row, part, sight)) && isInWindow(row)
}

/** The same of one row. */
export const matches = (row: Row, query: ListQuery, sight: Sight): boolean => matcher(query, sight)(row)

/** The rows of a list call from rows at hand: filtered, sorted (newest first by default), one page of them. */
export function pageOf(rows: readonly Row[], query: ListQuery, sight: Sight): { rows: Row[]; total: number; page: number; size: number } {
  const { page = 1, size = 10_000, sortField = 'dateCreated', sortOrder = '' } = query
  const signs = sortOrder.split(',').map((order) => (order === 'ASC' ? 1 : -1))
  const sorts = sortField.split(',').map((field, index) => ({ field, sign: signs[index] ?? -1 }))
  const order = (a: Row, b: Row) => sorts.reduce((so, { field, sign }) => so || sign * compare(a[field], b[field]), 0)
  const found = rows.filter(matcher(query, sight)).toSorted((a, b) => order(a, b) || compare(a.Id, b.Id))
  return { rows: found.slice((page - 1) * size, page * size), total: found.length, page, size }
}

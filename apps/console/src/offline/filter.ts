import type { FilterTerm, ListQuery } from '@outpost/contract/envelope'
import type { Row } from '../data/records.ts'

const words = (value: unknown): string => (value === null || value === undefined ? '' : String(value)).toUpperCase()
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Order of two values: numbers by size, everything else as text; missing values last in ascending order. */
function compare(a: unknown, b: unknown): number {
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b))
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en-GB', { numeric: true, sensitivity: 'base' })
}

/** True when the row passes one filter term, as the server would read it. */
function passes(row: Row, { field, op, value }: FilterTerm): boolean {
  const held = row[field]
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
  switch (op) {
    case 'empty': return isEmpty(held)
    case 'notEmpty': return !isEmpty(held)
    case 'contains': return words(held).includes(words(value))
    case 'in':
    case 'eq': return list.some((one) => words(one) === words(held))
    case 'ne': return !list.some((one) => words(one) === words(held))
    case 'gte': return !isEmpty(held) && compare(held, list[0]) >= 0
    case 'lte': return !isEmpty(held) && compare(held, list[0]) <= 0
  }
}

const dateFields: Readonly<Record<string, string>> = { created: 'dateCreated', consent: 'consentDate', affordability: 'affordabilityDate', start: 'startDate' }

function isInWindow(row: Row, { startDate, endDate, dateType }: ListQuery): boolean {
  if (!startDate && !endDate) return true
  const at = Date.parse(String(row[dateFields[dateType ?? 'created'] ?? 'dateCreated'] ?? ''))
  if (Number.isNaN(at)) return false
  const end = endDate && /^\d{4}-\d{2}-\d{2}$/.test(endDate) ? `${endDate}T23:59:59.999` : endDate
  return (!startDate || at >= Date.parse(startDate)) && (!end || at <= Date.parse(end))
}

/** True when search, filters and window of a list call let the row through. `%%` means no search. */
export function matches(row: Row, query: ListQuery, searchFields: readonly string[]): boolean {
  const search = (query.search ?? '').trim().toUpperCase().replace(/^%|%$/g, '')
  const found = search === '' || searchFields.some((field) => words(row[field]).includes(search))
    || words(row.fullName).includes(search)
  return found && (query.filter ?? []).every((term) => passes(row, term)) && isInWindow(row, query)
}

/** The rows of a list call from rows at hand: filtered, sorted (newest first by default), one page of them. */
export function pageOf(rows: readonly Row[], query: ListQuery, searchFields: readonly string[]): { rows: Row[], total: number, page: number, size: number } {
  const { page = 1, size = 10_000, sortField = 'dateCreated', sortOrder = '' } = query
  const signs = sortOrder.split(',').map((order) => order === 'ASC' ? 1 : -1)
  const sorts = sortField.split(',').map((field, index) => ({ field, sign: signs[index] ?? -1 }))
  const order = (a: Row, b: Row) => sorts.reduce((so, { field, sign }) => so || sign * compare(a[field], b[field]), 0)
  const found = rows.filter((row) => matches(row, query, searchFields)).toSorted((a, b) => order(a, b) || compare(a.Id, b.Id))
  return { rows: found.slice((page - 1) * size, page * size), total: found.length, page, size }
}

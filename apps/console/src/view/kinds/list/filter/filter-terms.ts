import { deepestGroup, filterOperators, isGroup } from '@outpost/contract/envelope'
import type { FilterOperator, FilterPart, FilterTerm } from '@outpost/contract/envelope'
import type { FieldKind, FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { formatDate, isBlank } from '../../../formats.ts'

const words: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  in: 'is any of',
  contains: 'contains',
  gte: 'is at least',
  lte: 'is at most',
  empty: 'is empty',
  notEmpty: 'has a value',
}
const dateWords: Partial<Record<FilterOperator, string>> = { eq: 'is on', gte: 'is on or after', lte: 'is on or before' }

const isDateKind = (kind: FieldKind) => kind === 'date' || kind === 'dateTime'

/** An operator in words, as the chips and the filter form say it. */
export function operatorLabel(op: FilterOperator, kind: FieldKind): string {
  return (isDateKind(kind) ? dateWords[op] : undefined) ?? words[op]
}

const commonLabels: Record<string, string> = { dateCreated: 'Created', dateModified: 'Changed' }

/** A field in words, also one that every record has and no column shows. */
export const fieldLabel = ({ fields }: Pick<ListView, 'fields'>, key: string): string =>
  fields.find((field) => field.key === key)?.label ?? commonLabels[key] ?? key

export const needsValue = (op: FilterOperator): boolean => op !== 'empty' && op !== 'notEmpty'
export const takesMany = (op: FilterOperator): boolean => op === 'in'

/** The operator offered first: several values where there are options, a part of the text where there is text. */
export function firstOperator(operators: readonly FilterOperator[]): FilterOperator {
  for (const wanted of ['in', 'contains', 'gte', 'eq'] as const) if (operators.includes(wanted)) return wanted
  return operators[0] ?? 'eq'
}

/** Conditions and groups of an address or saved view; whatever the view does not allow is dropped (the server checks again). */
export function parseTerms(view: Pick<ListView, 'filters'>, value: unknown): FilterPart[] {
  const given = typeof value === 'string' ? parseJson(value) : value
  return Array.isArray(given) ? given.flatMap((part: unknown) => parsePart(view, part, 0)) : []
}

function parsePart(view: Pick<ListView, 'filters'>, part: unknown, depth: number): FilterPart[] {
  if (isTerm(part)) return isAllowed(view, part) ? [part] : []
  if (typeof part !== 'object' || part === null || depth >= deepestGroup) return []
  const { all, any } = part as { all?: unknown; any?: unknown }
  const given = all ?? any
  const parts = Array.isArray(given) ? given.flatMap((one: unknown) => parsePart(view, one, depth + 1)) : []
  return parts.length === 0 ? [] : [all === undefined ? { any: parts } : { all: parts }]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An address edited by hand: no filter is better than no list.
    return []
  }
}

function isTerm(term: unknown): term is FilterTerm {
  if (typeof term !== 'object' || term === null || !('field' in term) || !('op' in term)) return false
  if (typeof term.field !== 'string' || !filterOperators.includes(term.op as FilterOperator)) return false
  return !needsValue(term.op as FilterOperator) || ('value' in term && !isBlank(term.value))
}

function isAllowed(view: Pick<ListView, 'filters'>, term: FilterTerm): boolean {
  return view.filters.some((filter) => filter.key === term.field && filter.operators.includes(term.op))
}

/** The list with a term added; a term with the same field and operator is replaced, so that both never contradict. */
export function withTerm(terms: readonly FilterPart[], term: FilterTerm): FilterPart[] {
  const isSame = (other: FilterPart) => !isGroup(other) && other.field === term.field && other.op === term.op
  return terms.some(isSame) ? terms.map((other) => (isSame(other) ? term : other)) : [...terms, term]
}

/** The value of a term in words; `labels` names ids of references. */
export function describeValue(term: FilterTerm, field: FieldView | undefined, labels: ReadonlyMap<string, string> = new Map()): string {
  if (!needsValue(term.op)) return ''
  const values = Array.isArray(term.value) ? term.value : [term.value]
  const texts = values.map((value) => oneValue(value, field, labels))
  return texts.length > 3 ? `${texts.slice(0, 2).join(', ')} and ${texts.length - 2} more` : texts.join(', ')
}

function oneValue(value: unknown, field: FieldView | undefined, labels: ReadonlyMap<string, string>): string {
  if (field?.kind === 'boolean') return value === true || value === 'true' ? 'Yes' : 'No'
  const option = field?.options?.find((one) => one.value === String(value))
  if (option) return option.label
  if (field && isDateKind(field.kind)) return formatDate(value)
  return labels.get(String(value)) ?? String(value)
}

import { failField } from '@outpost/contract/errors'
import { empty, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource } from '../../types.ts'
import { columnOf, hasColumn, hasOrder } from '../define.ts'
import type { ListInput } from '../schema.ts'
import { sortSql } from './columns.ts'

/** The order of a list by one of its fields. */
export type ListSort = readonly [field: string, order: 'ASC' | 'DESC']

/** Fields a list may be sorted by. */
export function sortFields(resource: AnyResource): Set<string> {
  const always = ['dateCreated', 'dateModified'].filter((key) => hasColumn(resource, key))
  return new Set<string>([...resource.list.columns.filter((key) => hasOrder(resource, key)), resource.list.sort[0], ...always])
}

/** INVALID when the list may not be sorted by one of the fields. */
export function refuseUnknownSort(resource: AnyResource, sortField: readonly string[]): void {
  const allowed = sortFields(resource)
  if (sortField.some((name) => !allowed.has(name))) failField('sortField', `is not one of ${[...allowed].join(', ')}`)
}

interface SortTerm {
  field: string
  order: 'ASC' | 'DESC'
}

/** The id breaks ties against the last direction, as the indexes do, which end in `"dateCreated" desc, "id"`. */
export function orderBy(resource: AnyResource, input: ListInput, standard: ListSort | undefined): Statement {
  const terms = sortTerms(resource, input, standard)
  const tie = terms.at(-1)?.order === 'DESC' ? trusted('asc') : trusted('desc')
  return sql`order by ${join(terms.map((term) => termSql(resource, term)))}, t."id" ${tie}`
}

function sortTerms(resource: AnyResource, { sortField, sortOrder = [] }: ListInput, standard: ListSort | undefined): SortTerm[] {
  const [field, order] = standard ?? resource.list.sort
  if (!sortField) return [{ field, order: sortOrder[0] ?? order }]
  refuseUnknownSort(resource, sortField)
  if (sortOrder.length > sortField.length) failField('sortOrder', 'says more than sortField names')
  return sortField.map((name, index) => ({ field: name, order: sortOrder[index] ?? 'DESC' }))
}

function termSql(resource: AnyResource, { field, order }: SortTerm): Statement {
  const isNullable = columnOf(resource, field)?.isRequired === false || resource.fields[field]?.sql !== undefined
  return sql`${sortSql(resource, field)} ${trusted(order)}${isNullable && order === 'DESC' ? trusted(' nulls last') : empty}`
}

/** Page numbers of a list answer; `total` is exact unless `estimated`. */
export interface Meta {
  page: number
  size: number
  total: number
  estimated?: boolean
}

/** The shape of every good answer; lists carry `meta`, their rows are in data under the resource's plural. */
export interface Envelope<Data = Record<string, unknown>> {
  success: true
  data: Data
  meta?: Meta
  message?: string
}

/** The operators of a filter in a list call, as `filter=[{"field":"status","op":"in","value":["New"]}]`. */
export const filterOperators = ['eq', 'ne', 'in', 'contains', 'gte', 'lte', 'empty', 'notEmpty'] as const
export type FilterOperator = (typeof filterOperators)[number]
export interface FilterTerm {
  field: string
  op: FilterOperator
  value?: string | number | boolean | (string | number)[]
}

/** Conditions of which all must hold, or any; `{"any":[{"field":"city","op":"eq","value":"Thika"},{"all":[…]}]}`. */
export type FilterGroup = { all: FilterPart[] } | { any: FilterPart[] }
/** What is in a filter: of its parts all must hold. */
export type FilterPart = FilterTerm | FilterGroup

/** Conditions one filter may hold, and groups that may be in each other. */
export const maxConditions = 20
export const deepestGroup = 2

export const isGroup = (part: FilterPart): part is FilterGroup => 'all' in part || 'any' in part
export const partsOf = (group: FilterGroup): FilterPart[] => ('all' in group ? group.all : group.any)
/** The conditions of a filter, whatever groups they are in. */
export const termsOf = (parts: readonly FilterPart[]): FilterTerm[] =>
  parts.flatMap((part) => (isGroup(part) ? termsOf(partsOf(part)) : [part]))

/** Columns one list call may be sorted by. */
export const maxSorts = 5

/** Query of a list call. Names are the specification's; `%%` as search means no filter. */
export interface ListQuery {
  page?: number
  size?: number
  /** One field, or several with commas, the first one counting most. */
  sortField?: string
  /** ASC or DESC of each field in turn, with commas; DESC where it says nothing. */
  sortOrder?: string
  search?: string
  startDate?: string
  endDate?: string
  dateType?: string
  filter?: FilterPart[]
}

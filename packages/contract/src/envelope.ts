/** Page numbers of a list answer; `total` is exact unless `estimated`. */
export interface Meta { page: number, size: number, total: number, estimated?: boolean }

/** The shape of every good answer; lists carry `meta`, their rows stand in data under the resource's plural. */
export interface Envelope<Data = Record<string, unknown>> { success: true, data: Data, meta?: Meta, message?: string }

/** The operators of a filter in a list call, as `filter=[{"field":"status","op":"in","value":["New"]}]`. */
export const filterOperators = ['eq', 'ne', 'in', 'contains', 'gte', 'lte', 'empty', 'notEmpty'] as const
export type FilterOperator = (typeof filterOperators)[number]
export interface FilterTerm { field: string, op: FilterOperator, value?: string | number | boolean | (string | number)[] }

/** Columns one list call may be sorted by. */
export const mostSorts = 5

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
  filter?: FilterTerm[]
}

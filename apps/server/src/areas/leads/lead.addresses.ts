/** The list of the leads that a figure counts: the same days, and a field that has a value, or none. The board fills in the days. */
export const leadsWhere = (field: string, value?: string | readonly string[]): string =>
  `${leadsBetween('startDate', 'endDate')}&filter=${JSON.stringify([termOf(field, value)])}`

export const leadsBetween = (from: string, to: string): string => `/sales/leads?dateType=created&from=:${from}&to=:${to}`

const termOf = (field: string, value?: string | readonly string[]) =>
  value === undefined ? { field, op: 'empty' } : Array.isArray(value) ? { field, op: 'in', value } : { field, op: 'eq', value }

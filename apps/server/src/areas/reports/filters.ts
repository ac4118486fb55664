import type { Formats } from '@outpost/rules/formats'
import { formatDay } from '@outpost/rules/time-zone'
import type { ReportFilter } from '../../kernel/reports/definition.ts'

/** What a report was asked for, in words: days as the company writes them. */
export const filtersInWords = (filters: readonly ReportFilter[], { date }: Pick<Formats, 'date'>): { label: string; value: string }[] =>
  filters.map(({ label, value, day }) => ({ label, value: day === undefined ? value : formatDay(day, date) }))

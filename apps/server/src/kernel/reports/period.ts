import { dayOf, formatDay } from '@outpost/rules/time-zone'
import { failField } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { daySchema } from '../days.ts'
import type { Ctx } from '../types.ts'

/** Parameters of reports over a time: two days, both included, in the company's time zone. */
export const periodInput = { startDate: daySchema.optional(), endDate: daySchema.optional() }

export const periodFields: FieldView[] = [
  { key: 'startDate', kind: 'date', label: 'From', help: 'Left empty: 30 days before the end' },
  { key: 'endDate', kind: 'date', label: 'To', help: 'Left empty: today' },
]

export interface Period {
  startDate: string
  endDate: string
  from: Statement
  until: Statement
}

const dayMs = 86_400_000
const threeYears = 1_100

/** The period asked for, `usual` days to today by default. Stops with INVALID when it ends before it starts or is longer than it may be. */
export function periodOf(
  { company }: Ctx,
  given: { startDate?: string | undefined; endDate?: string | undefined },
  { usual, longest } = { usual: 30, longest: threeYears },
): Period {
  const endDate = given.endDate ?? dayOf(Date.now(), company.timeZone)
  const startDate = given.startDate ?? new Date(Date.parse(endDate) - usual * dayMs).toISOString().slice(0, 10)
  const days = (Date.parse(endDate) - Date.parse(startDate)) / dayMs
  if (days < 0) failField('endDate', 'is before the start')
  if (days > longest)
    failField(
      'startDate',
      longest === threeYears ? 'is more than three years before the end' : `is more than ${longest} days before the end`,
    )
  return {
    startDate,
    endDate,
    from: sql`(${startDate}::date::timestamp at time zone ${company.timeZone})`,
    until: sql`((${endDate}::date + 1)::timestamp at time zone ${company.timeZone})`,
  }
}

export const periodFilters = ({ startDate, endDate }: Period) => [
  { label: 'From', value: formatDay(startDate), day: startDate },
  { label: 'To', value: formatDay(endDate), day: endDate },
]

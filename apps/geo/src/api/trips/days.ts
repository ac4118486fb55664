import { fail } from '@outpost/contract/errors'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import type { z } from 'zod'
import { day, yesNo } from '../input.ts'

const maxDays = 93

/** Input of a trip call: its days, and whether to show trips of almost no distance. */
export const dayInput = { fromdate: day, todate: day, zeros: yesNo.default(false) } satisfies z.ZodRawShape

/** The first moment of the first day and the first moment after the last day, in the company's time zone. */
export function windowOf({ fromdate, todate }: { fromdate: string; todate: string }, timeZone: string): { from: Date; until: Date } {
  const days = (Date.parse(todate) - Date.parse(fromdate)) / 86_400_000 + 1
  if (days < 1) fail('INVALID', { fields: [{ field: 'todate', message: 'is before fromdate' }] })
  if (days > maxDays) fail('INVALID', { fields: [{ field: 'todate', message: `ask for ${maxDays} days at most` }] })
  return { from: new Date(timeAt(fromdate, 0, timeZone)), until: new Date(timeAt(addDays(todate, 1), 0, timeZone)) }
}

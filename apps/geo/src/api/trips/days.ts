import { fail } from '@outpost/contract/errors'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import type { z } from 'zod'
import { day, yesNo } from '../input.ts'

const longestDays = 93

/** Days of a trip call and whether trips of next to no distance are shown. */
export const dayInput = { fromdate: day, todate: day, zeros: yesNo.default(false) } satisfies z.ZodRawShape

/** First moment of the first day and first moment after the last one, in the company's zone. */
export function windowOf({ fromdate, todate }: { fromdate: string, todate: string }, timeZone: string): { from: Date, until: Date } {
  const days = (Date.parse(todate) - Date.parse(fromdate)) / 86_400_000 + 1
  if (days < 1) fail('INVALID', { fields: [{ field: 'todate', message: 'is before fromdate' }] })
  if (days > longestDays) fail('INVALID', { fields: [{ field: 'todate', message: `ask for ${longestDays} days at most` }] })
  return { from: new Date(timeAt(fromdate, 0, timeZone)), until: new Date(timeAt(addDays(todate, 1), 0, timeZone)) }
}

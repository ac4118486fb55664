import { calendarOf } from '@outpost/rules/calendar/working-time'
import { isWorkingDay } from '@outpost/rules/calendar/working-days'
import type { DaysOff } from '@outpost/rules/lending/due-dates'
import type { Ctx } from '../../kernel/types.ts'
import { workingTimeOf } from './effective.ts'

/** Days on which nothing falls due in a tenant: its holidays and the days it does not work; default: the tenant worked in. */
export async function daysOffOf(ctx: Ctx, tenantId?: string): Promise<DaysOff> {
  const calendar = calendarOf(await workingTimeOf(ctx, tenantId))
  return { has: (day) => !isWorkingDay(day, calendar) }
}

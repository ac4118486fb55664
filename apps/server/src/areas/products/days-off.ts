import type { DaysOff } from '@outpost/rules/lending/due-dates'
import { isWorkingDay } from '@outpost/rules/targets/working-days'
import type { Ctx } from '../../kernel/types.ts'
import { calendarOf } from '../targets/index.ts'

/** Days on which nothing falls due: the company's holidays and the days it does not work. */
export async function daysOffOf(ctx: Ctx): Promise<DaysOff> {
  const calendar = await calendarOf(ctx)
  return { has: (day) => !isWorkingDay(day, calendar) }
}

import { clockOf } from '@outpost/rules/calendar/clock'
import { calendarOf } from '@outpost/rules/calendar/working-time'
import { z } from 'zod'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { workingTimeOf } from './effective.ts'

/** A tenant of the company; without: the one worked in. */
export const workingDaysInput = z.strictObject({ tenantId: idSchema.optional() })
export const workingDaysAnswer = z.strictObject({
  /** 1 Monday to 7 Sunday */
  days: z.array(z.int()),
  hours: z.array(z.strictObject({ weekday: z.int(), startsAt: z.string(), endsAt: z.string() })),
  holidays: z.array(z.iso.date()),
  timeZone: z.string(),
})

/** The hours and days off that hold for a tenant, whoever chose them. */
export async function workingDays(ctx: Ctx, { tenantId }: z.infer<typeof workingDaysInput>): Promise<Answer> {
  const time = await workingTimeOf(ctx, tenantId)
  return {
    data: {
      days: calendarOf(time).week,
      hours: time.shifts.map(({ weekday, from, to }) => ({ weekday, startsAt: clockOf(from), endsAt: clockOf(to) })),
      holidays: [...time.holidays].toSorted(),
      timeZone: time.timeZone,
    },
  }
}

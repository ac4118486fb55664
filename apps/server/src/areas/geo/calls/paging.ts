import { z } from 'zod'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { fail } from '@outpost/contract/errors'
import { sortOrder } from '../../../kernel/resource/schema.ts'
import type { Ctx } from '../../../kernel/types.ts'

const moment = z
  .string()
  .max(40)
  .refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)), 'is not a date or time')

/** The query that the specification calls paging. */
export const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(10_000).optional(),
  sortField: z.string().max(60).optional(),
  sortOrder: sortOrder.optional(),
  search: z.string().max(200).optional(),
}
/** And the one it calls window. */
export const window = { startDate: moment.optional(), endDate: moment.optional() }
export { moment }

const pagingObject = z.object(paging)
export type Paging = z.infer<typeof pagingObject>

/** The page asked for, with the sort and size that the specification names where the caller names none. */
export function pageOf(
  { page, size, sortField, sortOrder: order }: Paging,
  sort?: readonly [field: string, order: 'ASC' | 'DESC'],
  usual = 100,
) {
  const field = sortField ?? sort?.[0]
  return {
    page,
    size: size ?? usual,
    sortField: field,
    sortOrder: field === undefined ? undefined : (order ?? (sortField === undefined ? sort?.[1] : 'ASC')),
  }
}

/** Days of the company's calendar that a window touches; the last seven where it says nothing. */
export function daysOf(
  ctx: Ctx,
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
): { from: string; to: string } {
  const zone = ctx.company.timeZone
  const day = (text: string) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : dayOf(Date.parse(text), zone))
  const to = endDate === undefined ? dayOf(Date.now(), zone) : day(endDate)
  const from = startDate === undefined ? dayOf(Date.parse(`${to}T12:00:00Z`) - 6 * 86_400_000, 'UTC') : day(startDate)
  return from > to ? fail('INVALID', { fields: [{ field: 'endDate', message: 'is before startDate' }] }) : { from, to }
}

/** Moments of a window: a day alone means all of it. */
export function momentsOf(ctx: Ctx, { startDate, endDate }: { startDate: string; endDate: string }): { from: string; to: string } {
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
  const zone = ctx.company.timeZone
  const from = isDay(startDate) ? new Date(timeAt(startDate, 0, zone)) : new Date(startDate)
  const to = isDay(endDate) ? new Date(timeAt(addDays(endDate, 1), 0, zone) - 1) : new Date(endDate)
  return { from: from.toISOString(), to: to.toISOString() }
}

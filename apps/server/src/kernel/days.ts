import { dayOf } from '@outpost/rules/time-zone'
import { z } from 'zod'
import type { Ctx } from './types.ts'

/** False for a date or time in a year that nobody means; beyond them Postgres and clocks disagree about calendars. What is no date passes: others refuse it. */
export const isUsualYear = (text: string): boolean => !/^\d{4}-/.test(text) || /^(19|20|21)/.test(text)
export const wrongYear = 'is not in the years 1900 to 2199'

/** A day of the calendar as YYYY-MM-DD. */
export const daySchema = z.iso.date('is not a date (YYYY-MM-DD)').refine(isUsualYear, wrongYear)
/** A moment with its zone. */
export const timeSchema = z.iso.datetime({ offset: true, error: 'is not a time (ISO 8601)' }).refine(isUsualYear, wrongYear)
/** The day of a date column as YYYY-MM-DD; empty for none. It comes from the driver as local midnight, from input as midnight in UTC. */
export const dayText = (date: Date | null | undefined): string => {
  if (!date) return ''
  const isUtc = date.getUTCHours() === 0 && date.getUTCMinutes() === 0
  return isUtc ? date.toISOString().slice(0, 10) : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** A day, which the company's time zone makes a moment of, or a moment. */
export const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], 'is not a date or time').refine(isUsualYear, wrongYear)

/** Today in the company as YYYY-MM-DD. */
export const companyDay = ({ company }: Pick<Ctx, 'company'>): string => dayOf(Date.now(), company.timeZone)

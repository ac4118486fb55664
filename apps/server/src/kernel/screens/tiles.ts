import type { FilterTerm } from '@outpost/contract/envelope'
import type { TileFigure } from '@outpost/contract/tiles'
import { z } from 'zod'
import { firstDayOfAll, lastDayOfAll } from '@outpost/rules/calendar/all-days'
import { addDays, dayOf } from '@outpost/rules/time-zone'
import { mayAny } from '@outpost/rules/people/permission'
import { companyDay } from '../days.ts'
import { countRecords } from '../resource/read/list.ts'
import type { Ctx } from '../types/ctx.ts'
import type { AnyResource } from '../types/resource.ts'
import type { Counting, OwnCounting, Tile } from './widgets.ts'

export const tileFigureSchema = z.strictObject({ value: z.number(), before: z.number().optional(), period: z.string(), open: z.string() })

/** Whether the caller sees the number: its rows, and that they are the caller's business. */
export const maySee = (ctx: Ctx, { permissions, alsoNeeds }: Tile): boolean =>
  mayAny(ctx, permissions) && (alsoNeeds === undefined || mayAny(ctx, [alsoNeeds]))

/** The number, the one of the days before when the tile has days, and the address of the rows that it counts. */
export async function figureOf(ctx: Ctx, tile: Counting | OwnCounting): Promise<TileFigure> {
  if ('figure' in tile) return tile.figure(ctx)
  const today = companyDay(ctx)
  const terms = tile.terms?.(ctx) ?? []
  const { days } = tile
  const dateType = days ? days.type : cutting(tile.resource)
  const [from, to] = days ? [addDays(today, days.from), addDays(today, days.to)] : [firstDayOfAll, lastDayOfAll(today)]
  const count = (first: string, last: string) =>
    countRecords(ctx, tile.resource, { filter: terms, ...(dateType === undefined ? {} : { dateType, startDate: first, endDate: last }) })
  const length = days ? days.to - days.from + 1 : 0
  const [value, before] = await Promise.all([count(from, to), days ? count(addDays(from, -length), addDays(to, -length)) : undefined])
  return {
    value,
    ...(before === undefined ? {} : { before }),
    period: tile.period ?? 'All time',
    open: `${tile.screen}${queryOf({ dateType, from, to, terms })}`,
  }
}

/** Address of the list's records of all time under the terms. */
export function listAddress(ctx: Ctx, resource: AnyResource, screen: string, terms: readonly FilterTerm[]): string {
  return `${screen}${queryOf({ ...allDays(ctx, resource), terms })}`
}

/** The screen of a list under terms whose values may be `:key` of a record: where a number of that record opens the rows it counts. */
export const listedAt = (screen: string, terms: Readonly<Record<string, string>>): string =>
  `${screen}?filter=${JSON.stringify(Object.entries(terms).map(([field, value]) => ({ field, op: 'eq', value })))}`

/** All days that there are to a list, which would take its usual days without them. `dateType` is undefined where it takes them all anyhow. */
export function allDays({ company }: Ctx, resource: AnyResource): { dateType: string | undefined; from: string; to: string } {
  return { dateType: cutting(resource), from: firstDayOfAll, to: lastDayOfAll(dayOf(Date.now(), company.timeZone)) }
}

/** The dates by which a list is cut when nobody asks. One that shows all time is not cut: a loan that was not paid out yet has no such day. */
function cutting({ list }: AnyResource): string | undefined {
  const [first] = Object.entries(list.dates ?? {})
  return first === undefined || first[1].window.kind === 'all' ? undefined : first[0]
}

/** As the list's screen reads it from the address. */
function queryOf({
  dateType,
  from,
  to,
  terms,
}: {
  dateType: string | undefined
  from: string
  to: string
  terms: readonly FilterTerm[]
}): string {
  const parts = [
    ...(dateType === undefined
      ? []
      : [
          ['dateType', dateType],
          ['from', from],
          ['to', to],
        ]),
    ...(terms.length === 0 ? [] : [['filter', JSON.stringify(terms)]]),
  ]
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts as [string, string][]).toString()}`
}

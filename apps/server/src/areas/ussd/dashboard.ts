import { sql } from '@outpost/platform/db/sql'
import { addDays } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { periodOf } from '../../kernel/reports/period.ts'
import { daySchema } from '../../kernel/days.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { dashboard } from '../../kernel/screens/screen.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { states, ussdSession } from './session.resource.ts'

/** Days looked at, the last one included; by default the last 30. */
export const figuresInput = z.strictObject({ startDate: daySchema.optional(), endDate: daySchema.optional() })
const share = z.number()
export const figuresAnswer = z.strictObject({
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  sessions: z.int(),
  numbers: z.int(),
  completed: z.int(),
  failed: z.int(),
  cost: z.number(),
  byState: z.array(z.strictObject({ state: z.string(), sessions: z.int(), share })),
  byMenu: z.array(z.strictObject({ menu: z.string(), sessions: z.int(), dropped: z.int(), share })),
  byError: z.array(z.strictObject({ error: z.string(), sessions: z.int() })),
  byDay: z.array(z.strictObject({ day: z.iso.date(), sessions: z.int() })),
})

/** Figures of the sessions in reach that began within a period; where people left, of those who came to that screen. */
export async function ussdFigures(ctx: Ctx, input: z.infer<typeof figuresInput>): Promise<Answer> {
  const { startDate, endDate } = periodOf(ctx, input, { usual: 29, longest: 366 })
  const zone = ctx.company.timeZone
  const at = (day: string) => sql`(${day}::date::timestamp at time zone ${zone})`
  const data = await ctx.sql.one<Record<string, unknown>>(sql`
    with s as (select t."id", t."msisdn", t."state", t."lastMenu", t."lastError", t."cost", t."startedAt", t."state" in ('ABANDONED', 'TIMED_OUT', 'FAILED') as dropped
      from ussd_session t where ${visibleRows(ctx, ussdSession)} and t."startedAt" >= ${at(startDate)} and t."startedAt" < ${at(addDays(endDate, 1))})
    select (select count(*)::int from s) as sessions, (select count(distinct "msisdn")::int from s) as numbers,
      (select count(*)::int from s where "state" = 'COMPLETED') as completed, (select count(*)::int from s where "state" = 'FAILED') as failed,
      (select coalesce(sum("cost"), 0)::float8 from s) as cost,
      (select coalesce(json_agg(x order by x.sessions desc), '[]') from (select "state" as state, count(*)::int as sessions,
        round(100.0 * count(*) / (select count(*) from s), 1)::float8 as share from s group by 1) x) as "byState",
      (select coalesce(json_agg(x order by x.dropped desc, x.menu), '[]') from (select d.menu, r.sessions, d.dropped, round(100.0 * d.dropped / r.sessions, 1)::float8 as share
        from (select "lastMenu" as menu, count(*)::int as dropped from s where dropped group by 1) d
          join (select h."screen" as menu, count(distinct h."sessionId")::int as sessions from s join ussd_hop h on h."companyId" = ${ctx.company.id}::uuid and h."sessionId" = s."id" group by 1) r using (menu)) x) as "byMenu",
      (select coalesce(json_agg(x order by x.sessions desc, x.error), '[]') from (select "lastError" as error, count(*)::int as sessions from s where "lastError" is not null group by 1 limit 100) x) as "byError",
      (select coalesce(json_agg(json_build_object('day', to_char(d.day, 'YYYY-MM-DD'), 'sessions', (select count(*)::int from s where ("startedAt" at time zone ${zone})::date = d.day::date)) order by d.day), '[]')
        from generate_series(${startDate}::date, ${endDate}::date, interval '1 day') d(day)) as "byDay"`)
  return { data: { ...data, startDate, endDate } }
}

const period = 'dateType=started&from=:startDate&to=:endDate'
const sessions = (...terms: [field: string, value: string | boolean][]) =>
  `/clients/ussd/sessions?${period}${terms.length === 0 ? '' : `&filter=${JSON.stringify(terms.map(([field, value]) => ({ field, op: 'eq', value })))}`}`
const source = 'ussd.figures'
const number = (id: string, title: string, open: string, unit?: 'money') => ({
  id,
  title,
  draw: 'number' as const,
  source,
  value: id,
  open,
  ...(unit ? { unit } : {}),
  span: 8 as const,
})
const table = (value: string, title: string, open: string) => ({
  id: value,
  title,
  draw: 'table' as const,
  source,
  value,
  open,
  units: { share: 'percent' as const },
  span: 12 as const,
})

/** How USSD does. Each number opens the sessions, or the numbers, that it counts. */
export const ussdDashboard = dashboard({
  title: 'USSD dashboard',
  widgets: [
    number('sessions', 'Sessions', sessions()),
    number(
      'numbers',
      'Unique numbers',
      `/clients/ussd/clients?filter=${JSON.stringify([{ field: 'dialled', op: 'eq', value: ':startDate..:endDate' }])}`,
    ),
    number('completed', 'Completed', sessions(['state', 'COMPLETED'])),
    number('failed', 'Errors', sessions(['state', 'FAILED'])),
    number('cost', 'Cost', sessions(['hasCost', true]), 'money'),
    {
      ...table('byState', 'How sessions end', sessions(['state', ':state'])),
      words: Object.fromEntries(states.map(({ value, label }) => [value, label])),
    },
    table('byMenu', 'Where people leave', sessions(['isDropped', true], ['lastMenu', ':menu'])),
    table('byError', 'Errors by their words', sessions(['lastError', ':error'])),
    {
      id: 'byDay',
      title: 'Sessions by day',
      draw: 'bars',
      source,
      value: 'byDay',
      labelKey: 'day',
      valueKey: 'sessions',
      open: '/clients/ussd/sessions?dateType=started&from=:day&to=:day',
      span: 24,
    },
  ],
})

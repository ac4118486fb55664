import { failField } from '@outpost/contract/errors'
import type { Access } from '@outpost/contract/permissions'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { tenantInReach } from '../../../kernel/session/reach.ts'
import { may } from '../../../kernel/area.ts'
import { dayOrTime } from '../../../kernel/days.ts'
import { dayEnd, dayStart } from '../../../kernel/resource/read/filter.ts'
import { isPermitted, requirePermission } from '../../../kernel/session/permission.ts'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { nameOf } from '../../../kernel/names.ts'
import { mine } from '../activity.reports.ts'
import { activity } from '../activity.resource.ts'
import { meetingEntries, meetingGroups } from './calendar.meetings.ts'

/** From (in it) to (not in it), moments; days are those of the company's time zone. */
interface Window {
  from: Statement
  to: Statement
  zone: string
}

/** A kind of date that may be laid over the calendar of activities. Its rows have Id, title, start, and perhaps end and note. */
interface Layer {
  label: string
  colour: string
  access: Access
  /** Screen of a row; `:id` is filled from it. */
  screen: string
  /** The dates are days, not moments. */
  isAllDay?: boolean
  rows: (window: Window) => Statement
  /** Makes the entries of the rows, where a rule says when they are. */
  expand?: (rows: readonly unknown[], window: { from: Date; to: Date; timeZone: string }) => object[]
}

const leadName = nameOf('t')
const leads = may('SALES/LEADS')
const leadDates =
  (column: Statement, note: Statement) =>
  ({ from, to }: Window) =>
    sql`
  select t."id" as "Id", ${leadName} as title, ${column} as start, ${column} as "end", ${note} as note from lead t where ${column} >= ${from} and ${column} < ${to}`

const layers = {
  leadConsent: {
    label: 'Consent given',
    colour: 'green',
    access: leads,
    screen: '/sales/leads/:id/view',
    rows: leadDates(sql`t."consentDate"`, sql`t."consentStatus"`),
  },
  leadAffordability: {
    label: 'Affordability assessed',
    colour: 'gold',
    access: leads,
    screen: '/sales/leads/:id/view',
    rows: leadDates(sql`t."affordabilityDate"`, sql`t."affordabilityOutcome"`),
  },
  leadCaptured: {
    label: 'Leads captured',
    colour: 'blue',
    access: leads,
    screen: '/sales/leads/:id/view',
    rows: leadDates(sql`t."dateCreated"`, sql`t."status"`),
  },
  routePlans: {
    label: 'Route plans',
    colour: 'orange',
    access: may('SALES/ACTIVITIES/ACTIVITY_PLANS'),
    screen: '/sales/activities/activity-plan/:id/map-view',
    isAllDay: true,
    rows: ({ from, to, zone }: Window) => sql`
      select t."id" as "Id", t."name" as title, to_char(t."startDate", 'YYYY-MM-DD') as start, to_char(t."endDate", 'YYYY-MM-DD') as "end", t."status" as note
      from activity_plan t 
      where t."endDate" >= (${from} at time zone ${zone})::date and t."startDate" <= ((${to} - interval '1 microsecond') at time zone ${zone})::date`,
  },
  groupMeetings: {
    label: 'Group meetings',
    colour: 'purple',
    access: may('CLIENTS/GROUPS'),
    screen: '/clients/groups/details/:id',
    rows: meetingGroups,
    expand: meetingEntries,
  },
} satisfies Record<string, Layer>
type LayerKey = keyof typeof layers
const layerKeys = Object.keys(layers) as [LayerKey, ...LayerKey[]]

/** Entries of one layer in a window at most; more could not be distinguished on a screen. */
const maxEntries = 2_000

/** Where a rule says when entries are, each day of the window is worked out. */
const longestWindow = 400 * 86_400_000

/** One layer and the window shown: days (the last one included, in the company's time zone) or moments. */
export const layerInput = z.strictObject({ layer: z.enum(layerKeys), startDate: dayOrTime, endDate: dayOrTime })

/** Entries of a layer in the window, within the caller's reach: data.entries of {Id, title, start, end, note}. */
export async function calendarLayer(ctx: Ctx, { layer: key, startDate, endDate }: z.infer<typeof layerInput>): Promise<Answer> {
  const layer: Layer = layers[key]
  requirePermission(ctx, layer.access)
  if (new Date(startDate) > new Date(endDate)) failField('endDate', 'lies before the start')
  const { timeZone } = ctx.company
  const [from, to] = [
    startDate.length === 10 ? dayStart(startDate, timeZone) : sql`${startDate}::timestamptz`,
    endDate.length === 10 ? dayEnd(endDate, timeZone) : sql`${endDate}::timestamptz`,
  ]
  if (layer.expand && Date.parse(endDate) - Date.parse(startDate) > longestWindow)
    failField('endDate', 'lies more than 400 days after the start')
  const rows = await ctx.sql.query(sql`
    ${layer.rows({ from, to, zone: timeZone })} and t."companyId" = ${ctx.company.id}::uuid and t."deletedAt" is null and ${tenantInReach(ctx, sql`t."tenantId"`)} order by start, "Id" limit ${maxEntries}`)
  if (!layer.expand) return { data: { entries: rows } }
  return { data: { entries: layer.expand(rows, { ...momentsOf(startDate, endDate, timeZone), timeZone }).slice(0, maxEntries) } }
}

function momentsOf(startDate: string, endDate: string, timeZone: string): { from: Date; to: Date } {
  const from = startDate.length === 10 ? timeAt(startDate, 0, timeZone) : startDate
  const to = endDate.length === 10 ? timeAt(addDays(endDate, 1), 0, timeZone) : endDate
  return { from: new Date(from), to: new Date(to) }
}

const editAccess = may('SALES/ACTIVITIES/ACTIVITIES/EDIT')
const createAccess = may('SALES/ACTIVITIES/ACTIVITIES/CREATE')

/** What the calendar's screen receives: the layers the caller may lay over it, what they may do with an activity, and whether they have own ones to begin with. */
export async function calendarData(ctx: Ctx): Promise<Record<string, unknown>> {
  const open = Object.entries<Layer>(layers).filter(([, { access }]) => isPermitted(ctx, access))
  const own = await ctx.sql.maybe(sql`
    select 1 from activity t where ${visibleRows(ctx, activity)} and ${mine(ctx, {})} and t."startDate" > now() - interval '30 days' and t."startDate" < now() + interval '30 days' limit 1`)
  return {
    hasOwnWork: own !== undefined,
    layers: open.map(([key, { label, colour, screen, isAllDay = false }]) => ({ key, label, colour, screen, isAllDay })),
    mayEdit: isPermitted(ctx, editAccess),
    mayCreate: isPermitted(ctx, createAccess),
  }
}

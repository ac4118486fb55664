import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Metric, MetricTables, MetricWindow } from '../../kernel/metrics.ts'

/** The meaning of a visit's status. */
const visitMeanings: ReadonlyMap<string, string> = new Map(Object.entries({ 'visits.done': 'done', 'visits.missed': 'missed' }))

/** Common table `visited`: assignments in a status of one of the meanings, at the moment it was set. */
const visitTable: MetricTables = ({ companyId, from, to }, metrics) => sql`visited as materialized (
    select s."meaning", x."userId", x."tenantId", x."statusDateCreated" as at, a."id" as "activityId" from activity_assignment x
    join activity a on a."companyId" = x."companyId" and a."id" = x."activityId" and a."deletedAt" is null
    join activity_status s on s."companyId" = x."companyId" and s."id" = x."statusId" and s."meaning" = any(${metrics.flatMap((metric) => visitMeanings.get(metric) ?? [])})
    where x."companyId" = ${companyId}::uuid and x."statusDateCreated" >= ${from} and x."statusDateCreated" < ${to})`

const visits = ({ from, to }: MetricWindow, meaning: 'done' | 'missed'): Statement => sql`
  select v."userId", v."tenantId", v.at, 1, null, 'activity', v."activityId" from visited v where v."meaning" = ${meaning} and v.at >= ${from} and v.at < ${to}`

/** What targets may count of activities. */
export const activityMetrics: Metric[] = [
  {
    name: 'activities.planned',
    label: 'Activities planned',
    unit: 'count',
    hasProduct: false,
    order: 110,
    events: ({ companyId, from, to }) => sql`
      select x."userId", x."tenantId", a."startDate", 1, null, 'activity', a."id" from activity a
      join activity_assignment x on x."companyId" = a."companyId" and x."activityId" = a."id"
      left join activity_status s on s."companyId" = x."companyId" and s."id" = coalesce(x."statusId", a."statusId")
      where a."companyId" = ${companyId}::uuid and a."deletedAt" is null and a."startDate" >= ${from} and a."startDate" < ${to} and coalesce(s."meaning", 'open') <> 'cancelled'`,
  },
  {
    name: 'visits.done',
    label: 'Visits done',
    unit: 'count',
    hasProduct: false,
    order: 120,
    reads: visitTable,
    events: (window) => visits(window, 'done'),
  },
  {
    name: 'visits.missed',
    label: 'Visits missed',
    unit: 'count',
    hasProduct: false,
    isBurden: true,
    order: 130,
    reads: visitTable,
    events: (window) => visits(window, 'missed'),
  },
]

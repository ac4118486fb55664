import { empty, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { attributeOf } from '../positions/attributes.ts'

export interface ReportingFigures {
  positions: number
  validShare: number | null
  lateShare: number | null
  satellites: number | null
  /** Its median reporting interval while moving. */
  intervalSeconds: number | null
  /** Share of the reports expected by this interval; a few extra ones make it greater than 1. */
  reported: number | null
}

const satellites = attributeOf('sat', 't')
const ignition = attributeOf('ignition', 't')

/**
 * How one device reported. `where` selects its positions (alias t); `more` adds figures (alias point). Coverage counts only the time in
 * motion, because a parked device reports less often by design: received reports divided by those that the median interval predicts.
 */
export const reportingFigures = (where: Statement, more: Statement = empty): Statement => sql`
  with point as (
    select t."fixTime", t."isValid", t."latitude" is not null as "hasPlace", t."serverTime" - t."fixTime" > interval '15 minutes' as "isLate",
      case when jsonb_typeof(${satellites}) = 'number' then ${satellites}::float8 end as "sat",
      case when jsonb_typeof(${ignition}) = 'boolean' then ${ignition}::bool else t."speed" > 0 end as "isUnderWay",
      extract(epoch from lead(t."fixTime") over (order by t."fixTime") - t."fixTime")::float8 as "step"
    from geo.position t where ${where}
  ), usual as (select percentile_cont(0.5) within group (order by "step") as "step" from point where "isUnderWay" and "step" is not null)
  select count(*)::int as "positions",
    avg(("isValid" and "hasPlace")::int)::float8 as "validShare", avg("isLate"::int)::float8 as "lateShare",
    percentile_cont(0.5) within group (order by "sat") as "satellites", min(usual."step") as "intervalSeconds",
    count(*) filter (where "isUnderWay" and point."step" is not null) * min(usual."step") / nullif(sum(point."step") filter (where "isUnderWay"), 0) as "reported"
    ${more === empty ? empty : sql`, ${more}`}
  from point cross join usual`

import { fail } from '@outpost/contract/errors'
import { sumBy } from 'es-toolkit/math/sumBy'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { takeTurn } from '@outpost/platform/db/turn'
import { minuteOfClock } from '@outpost/rules/calendar/clock'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type HoursLine = Pick<ModelRow<'workingHours'>, 'weekday' | 'startsAt' | 'endsAt'>
type Row = ModelRow<'workingCalendar'> & { hours?: HoursLine[] }

const clock = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** Last look at working hours: times of day in order, on no day at once, and one calendar a tenant. */
export async function prepareCalendar(ctx: Ctx, { kind, input, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  if (kind === 'create' && !input.hours) fail('INVALID', { fields: [{ field: 'hours', message: 'is required' }] })
  const fields = (input.hours ?? []).flatMap(faultOf)
  if (fields.length > 0) fail('INVALID', { fields })
  // With less no deadline would ever come.
  if (input.hours && minutesOfWeek(input.hours) < leastMinutesOfWeek)
    fail('INVALID', { fields: [{ field: 'hours', message: 'must hold five hours a week at least' }] })
  if (kind === 'create' && input.tenantId) await refuseSecond(ctx, { id, tenantId: input.tenantId })
  return {}
}

const leastMinutesOfWeek = 300
const minutesOfWeek = (hours: readonly HoursLine[]) =>
  sumBy(hours, ({ startsAt, endsAt }) => minuteOfClock(endsAt) - minuteOfClock(startsAt))

function faultOf({ weekday, startsAt, endsAt }: HoursLine, index: number, all: readonly HoursLine[]) {
  if (!clock.test(startsAt)) return [{ field: `hours.${index}.startsAt`, message: 'is no time of day, as 08:00' }]
  if (!clock.test(endsAt) && endsAt !== '24:00') return [{ field: `hours.${index}.endsAt`, message: 'is no time of day, as 17:00' }]
  if (endsAt <= startsAt) return [{ field: `hours.${index}.endsAt`, message: 'must lie after the beginning' }]
  const other = all.slice(0, index).find((one) => one.weekday === weekday && one.startsAt < endsAt && startsAt < one.endsAt)
  return other ? [{ field: `hours.${index}.startsAt`, message: `overlaps with ${other.startsAt} to ${other.endsAt} of the same day` }] : []
}

async function refuseSecond(ctx: Ctx, { id, tenantId }: { id: string; tenantId: string }): Promise<void> {
  // Two who add the hours of one tenant at once wait for each other.
  await takeTurn(ctx.sql, `working calendar ${tenantId}`)
  const other = await ctx.sql.maybe(sql`
    select 1 from working_calendar where "companyId" = ${ctx.company.id}::uuid and "tenantId" = ${tenantId}::uuid and "id" <> ${id}::uuid`)
  if (other) fail('INVALID', { fields: [{ field: 'tenantId', message: 'has working hours already: change those' }] })
}

import { failField } from '@outpost/contract/errors'
import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { agentsOfWrite, notifyAgentsOfSync } from './agents/activity.agents.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { locateUser } from '../../kernel/session/place.ts'

type ActivityRow = ModelRow<'activity'> & { assignedUsers?: string[] }

/** One activity is work of days at most; what comes again is a series. */
const longestDays = 31

const isNowhere = (location: string | null | undefined) => !location || location.trim().toLowerCase() === 'unknown'

/** Fills an empty or "unknown" place from the user's tenants, names the status and whose the work is, and refuses an end before the start. */
export async function prepareActivity(ctx: Ctx, write: PrepareWrite<ActivityRow>): Promise<Partial<ActivityRow>> {
  const { kind, input, before, id } = write
  if (kind === 'remove') return {}
  const [start, end] = [input.startDate ?? before?.startDate, input.endDate ?? before?.endDate]
  if (start && end && start > end) failField('endDate', 'lies before the start')
  if (start && end && end.getTime() - start.getTime() > longestDays * 86_400_000)
    failField('endDate', `lies more than ${longestDays} days after the start`)
  const owners = await agentsOfWrite(ctx, write)
  await notifyAgentsOfSync(ctx, write, owners.assignedUsers ?? [])
  announce(ctx, { one: 'activityAssignment' }, [id], 'updated', [owners.tenantId ?? input.tenantId ?? before?.tenantId ?? ctx.tenant.id])
  return {
    ...(kind === 'create' && isNowhere(input.location) ? await placeOfUser(ctx) : {}),
    ...(await nameStatus(ctx, kind, input)),
    ...owners,
  }
}

async function placeOfUser(ctx: Ctx): Promise<Partial<ActivityRow>> {
  const place = await locateUser(ctx, ctx.user.id)
  return place ? ({ location: place.location, lat: place.lat, lng: place.lng } as unknown as Partial<ActivityRow>) : {}
}

/** A status is chosen by id and shown by name; a new activity starts with the default status, else PENDING. */
async function nameStatus(ctx: Ctx, kind: 'create' | 'update', input: Partial<ActivityRow>): Promise<Partial<ActivityRow>> {
  if (kind === 'update' && !input.statusId) return {}
  const status = input.statusId ? await statusById(ctx, input.statusId) : await defaultStatus(ctx)
  return status ? { statusId: status.id, status: status.name } : {}
}

interface StatusFacts {
  id: string
  name: string
  meaning: ActivityMeaning
}
const columns = sql`s."id", s."name", s."meaning"`
/** Statuses of the caller's tenant and those above it come first. */
const nearest = (ctx: Ctx) =>
  sql`order by (s."tenantId" = ${ctx.tenant.id}) desc, (s."tenantId" = any(${ctx.tenant.path}::uuid[])) desc, s."default" desc, s."position", s."id" limit 1`

/** A status of the company, inactive ones included; INVALID when there is none. */
async function statusById(ctx: Ctx, id: string): Promise<StatusFacts> {
  const status = await ctx.sql.maybe<StatusFacts>(
    sql`select ${columns} from activity_status s where s."companyId" = ${ctx.company.id} and s."id" = ${id}`,
  )
  return status ?? failField('statusId', 'does not exist')
}

function defaultStatus(ctx: Ctx): Promise<StatusFacts | undefined> {
  return ctx.sql.maybe<StatusFacts>(sql`
    select ${columns} from activity_status s where s."companyId" = ${ctx.company.id} and s."default" and s."status" = 1 ${nearest(ctx)}`)
}

/** The first active status of a meaning, the caller's own tenant before others. */
export function statusOfMeaning(ctx: Ctx, meaning: ActivityMeaning): Promise<StatusFacts | undefined> {
  return ctx.sql.maybe<StatusFacts>(sql`
    select ${columns} from activity_status s where s."companyId" = ${ctx.company.id} and s."meaning" = ${meaning} and s."status" = 1 ${nearest(ctx)}`)
}

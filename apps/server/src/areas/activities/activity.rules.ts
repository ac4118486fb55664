import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { locateUser } from '../tenants/index.ts'

type ActivityRow = ModelRow<'activity'>

const isNowhere = (location: string | null | undefined) => !location || location.trim().toLowerCase() === 'unknown'

/** Fills an empty or "unknown" place from the user's tenants, names the status, and refuses an end before the start. */
export async function prepareActivity(ctx: Ctx, { kind, input, before }: PrepareWrite<ActivityRow>): Promise<Partial<ActivityRow>> {
  if (kind === 'remove') return {}
  const [start, end] = [input.startDate ?? before?.startDate, input.endDate ?? before?.endDate]
  if (start && end && start > end) fail('INVALID', { fields: [{ field: 'endDate', message: 'lies before the start' }] })
  return {
    ...(kind === 'create' ? { createdUserId: ctx.user.id, createdBy: `${ctx.user.firstName} ${ctx.user.lastName}` } : {}),
    ...(kind === 'create' && isNowhere(input.location) ? await placeOfUser(ctx) : {}),
    ...await nameStatus(ctx, kind, input),
  }
}

async function placeOfUser(ctx: Ctx): Promise<Partial<ActivityRow>> {
  const place = await locateUser(ctx, ctx.user.id)
  return place ? { location: place.location, lat: place.lat, lng: place.lng } as unknown as Partial<ActivityRow> : {}
}

/** A status is chosen by id and shown by name; a new activity starts with the default status, else PENDING. */
async function nameStatus(ctx: Ctx, kind: 'create' | 'update', input: Partial<ActivityRow>): Promise<Partial<ActivityRow>> {
  if (kind === 'update' && !input.statusId) return {}
  const wanted = input.statusId ? sql`"id" = ${input.statusId}` : sql`"default" and "status" = 1`
  const row = await ctx.sql.query<{ id: string, name: string }>(sql`
    select "id", "name" from activity_status where "companyId" = ${ctx.company.id} and ${wanted} order by ("tenantId" = ${ctx.tenant.id}) desc, "position" limit 1`)
  return row[0] ? { statusId: row[0].id, status: row[0].name } : {}
}

import { enqueue } from '@outpost/platform/outbox'
import { named, sql } from '@outpost/platform/db/sql'
import type { Point } from '@outpost/rules/places/distance'
import { fitsRule, type RuleConditions } from '@outpost/rules/leads/lead-assignment'
import { chunk } from 'es-toolkit/array/chunk'
import type { Ctx } from '../../../kernel/types.ts'

/** So many leads are given away by one job: it holds the company's counter, which pushes wait for. */
const leadsAJob = 25

const waiting = new WeakMap<Ctx, string[]>()

/**
 * Asks for a new lead to be given away by the company's rules, if it has any. After the commit, by a job: whether the
 * lead came by form, wizard or a device's change log, it must be there first, and a slow rule keeps nobody waiting.
 * The leads of one transaction are asked for together.
 */
export function queueAssignment(ctx: Ctx, leadId: string): void {
  const others = waiting.get(ctx)
  if (others) return void others.push(leadId)
  const leadIds = [leadId]
  waiting.set(ctx, leadIds)
  ctx.beforeCommit(() => enqueueAssignment(ctx, leadIds))
}

/** Only what a rule fits: of most leads of a long day offline there is nothing to do, and a job each would say so. */
async function enqueueAssignment(ctx: Ctx, leadIds: readonly string[]): Promise<void> {
  const rules = await ctx.sql.query<RuleConditions>(
    named(
      'leads.rules',
      sql`
    select "source", "type", "city", "branchId" from assignment_rule where "companyId" = ${ctx.company.id} and "isActive"`,
    ),
  )
  if (rules.length === 0) return
  const leads = await waitingLeads(ctx, leadIds)
  const fitting = leads.filter((lead) => rules.some((rule) => fitsRule(rule, lead))).map(({ id }) => id)
  await enqueue(
    ctx.sql,
    chunk(fitting, leadsAJob).map((ids) => ({
      companyId: ctx.company.id,
      userId: null,
      type: 'leads.assignByRule',
      payload: { leadIds: ids },
    })),
  )
}

/** What rules ask of a lead. */
export interface WaitingLead {
  id: string
  tenantId: string
  source: string
  type: string | null
  city: string | null
  path: string[]
  place: Point | null
  status: string
  holderId: string | null
}

/** Leads as the rules see them, in the order of their ids' list; those that are gone are left out. */
export async function waitingLeads(ctx: Ctx, ids: readonly string[]): Promise<WaitingLead[]> {
  const rows = await ctx.sql.query<Omit<WaitingLead, 'place'> & { latitude: number | null; longitude: number | null }>(sql`
    select l."id", l."tenantId", l."status", l."assignedUserId" as "holderId", l."source", l."type", l."city", l."latitude"::float8 as latitude, l."longitude"::float8 as longitude, b."path"
    from lead l join tenant b on b."companyId" = l."companyId" and b."id" = l."tenantId"
    where l."companyId" = ${ctx.company.id} and l."id" = any(${ids}::uuid[]) and l."deletedAt" is null
    order by array_position(${ids}::uuid[], l."id")`)
  return rows.map((row) => ({ ...row, place: pointOf(row) }))
}

export const pointOf = ({ latitude, longitude }: { latitude: number | null; longitude: number | null }): Point | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

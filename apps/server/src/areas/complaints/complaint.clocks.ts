import { sql } from '@outpost/platform/db/sql'
import type { WorkingTime } from '@outpost/rules/calendar/working-time'
import { allowedMinutes, dueAt, type Pause, type Severity } from '@outpost/rules/complaints/complaint-clocks'
import type { Ctx } from '../../kernel/types.ts'
import { workingTimeOf } from '../working-time/index.ts'
import { regulatorTimesOf, timesOf } from './complaint.settings.ts'

const dayMs = 86_400_000

/** The pauses of a complaint, in their order. */
export async function pausesOf(ctx: Ctx, complaintId: string): Promise<Pause[]> {
  const rows = await ctx.sql.query<{ startedAt: Date; endedAt: Date | null }>(sql`
    select "startedAt", "endedAt" from complaint_pause
    where "companyId" = ${ctx.company.id}::uuid and "complaintId" = ${complaintId}::uuid order by "startedAt"`)
  return rows.map(({ startedAt, endedAt }) => ({ start: startedAt.getTime(), end: endedAt?.getTime() ?? null }))
}

export interface ClockedComplaint {
  tenantId: string
  severity: Severity
  receivedAt: Date
}

/** The minutes of work that a complaint has, and the working time they are counted by. */
export async function budgetOf(ctx: Ctx, { tenantId, severity }: Pick<ClockedComplaint, 'tenantId' | 'severity'>, known?: WorkingTime) {
  const time = known ?? (await workingTimeOf(ctx, tenantId))
  return { time, allowed: allowedMinutes(severity, await timesOf(ctx, tenantId), time) }
}

/** When a complaint is to be answered and settled, and when the client may go to the ombud. */
export async function deadlinesOf(
  ctx: Ctx,
  complaint: ClockedComplaint,
  { pauses, time: known }: { pauses: readonly Pause[]; time?: WorkingTime },
): Promise<{ firstResponseDueAt: Date; resolutionDueAt: Date; regulatorDueAt: Date }> {
  const { time, allowed } = await budgetOf(ctx, complaint, known)
  const { regulatorDays } = await regulatorTimesOf(ctx)
  const [start, now] = [complaint.receivedAt.getTime(), Date.now()]
  return {
    // Only a reply to the client stops this one: nothing pauses it.
    firstResponseDueAt: new Date(dueAt(start, allowed.firstResponse, { time, now })),
    resolutionDueAt: new Date(dueAt(start, allowed.resolution, { time, pauses, now })),
    regulatorDueAt: new Date(start + regulatorDays * dayMs),
  }
}

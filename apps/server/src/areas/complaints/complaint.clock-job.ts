import { sql, trusted } from '@outpost/platform/db/sql'
import type { WorkingTime } from '@outpost/rules/calendar/working-time'
import { elapsedMinutes, escalations, type Pause, type Severity } from '@outpost/rules/complaints/complaint-clocks'
import { spanOf } from '@outpost/rules/complaints/regulator'
import { repeatingJob } from '../../kernel/jobs/enqueue.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../kernel/types.ts'
import { workingTimesOf } from '../working-time/index.ts'
import { budgetOf, deadlinesOf } from './complaint.clocks.ts'
import { notifyPerson, notifyRung, type Escalated } from './complaint.ladder.ts'
import { writeLetter } from './complaint.messages.ts'
import { complaint } from './complaint.resource.ts'
import { regulatorTimesOf } from './complaint.settings.ts'

const dayMs = 86_400_000

interface OpenComplaint extends Escalated {
  number: string
  severity: Severity
  receivedAt: Date
  firstResponseAt: Date | null
  firstResponseDueAt: Date
  resolutionDueAt: Date
  regulatorDueAt: Date
  email: string | null
  pauses: { start: string; end: string | null }[]
  told: string[]
}

/** Looks at the clocks every five minutes as long as any complaint is unsettled. */
export const clockJob = repeatingJob('complaints.clocks', {
  minutes: 5,
  run: async (ctx) => {
    const open = await unsettled(ctx)
    const timeOf = await workingTimesOf(
      ctx,
      open.map(({ tenantId }) => tenantId),
    )
    for (const one of open) await watch(ctx, one, timeOf(one.tenantId))
    return open.length > 0
  },
})

function unsettled(ctx: Ctx): Promise<OpenComplaint[]> {
  return ctx.sql.query<OpenComplaint & Record<string, unknown>>(sql`
    select t."id", t."tenantId", t."accusedUserId", t."ownerUserId", t."severity", t."receivedAt", t."firstResponseAt", t."firstResponseDueAt", t."resolutionDueAt", t."regulatorDueAt",
      ${trusted(complaint.fields['complaintNumber']?.sql ?? 'null')} as number,
      coalesce(nullif(t."complainantEmail", ''), (select c."emailAddress" from client c where c."companyId" = t."companyId" and c."id" = t."clientId")) as email,
      coalesce((select json_agg(json_build_object('start', p."startedAt", 'end', p."endedAt") order by p."startedAt") from complaint_pause p
        where p."companyId" = t."companyId" and p."complaintId" = t."id"), '[]') as pauses,
      array(select a."clock" || ' ' || a."percent" from complaint_alert a where a."companyId" = t."companyId" and a."complaintId" = t."id") as told
    from complaint t where t."companyId" = ${ctx.company.id}::uuid and t."resolvedAt" is null order by t."receivedAt" limit 5000`)
}

async function watch(ctx: Ctx, one: OpenComplaint, time: WorkingTime): Promise<void> {
  const pauses = one.pauses.map(({ start, end }) => ({ start: Date.parse(start), end: end === null ? null : Date.parse(end) }))
  await renewDeadlines(ctx, one, { pauses, time })
  const { allowed } = await budgetOf(ctx, one, time)
  const { regulatorDays, statusLetterDays } = await regulatorTimesOf(ctx)
  const [start, now] = [one.receivedAt.getTime(), Date.now()]
  const clocks = [
    ...(one.firstResponseAt
      ? []
      : [{ clock: 'firstResponse', what: 'to reply to the client', share: elapsedMinutes(start, now, { time }) / allowed.firstResponse }]),
    { clock: 'resolution', what: 'to settle it', share: elapsedMinutes(start, now, { time, pauses }) / allowed.resolution },
    { clock: 'regulator', what: 'until the client may go to the ombud', share: (now - start) / (regulatorDays * dayMs) },
  ]
  for (const { clock, what, share } of clocks)
    for (const { percent, rung } of escalations) {
      if (share * 100 < percent || one.told.includes(`${clock} ${percent}`) || !(await isFirst(ctx, one, { clock, percent }))) continue
      const message =
        percent === 100
          ? `Complaint ${one.number}: the time ${what} is over`
          : `Complaint ${one.number}: ${percent} % of the time ${what} is used`
      await notifyRung(ctx, one, { rung, message })
    }
  if (now - start >= statusLetterDays * dayMs) await oweStatusLetter(ctx, one, spanOf(statusLetterDays))
}

/** A calendar or a setting may have changed since the deadlines were written; a pause that lasts moves them on. */
async function renewDeadlines(ctx: Ctx, one: OpenComplaint, clocks: { pauses: readonly Pause[]; time: WorkingTime }): Promise<void> {
  const { firstResponseDueAt, resolutionDueAt, regulatorDueAt } = await deadlinesOf(ctx, one, clocks)
  const isSame = (due: Date, stored: Date) => due.getTime() === stored.getTime()
  // While the client is waited for the deadline moves with each minute: it is written once the wait ends.
  const waits = clocks.pauses.some(({ end }) => end === null)
  const changed = {
    ...(waits || one.firstResponseAt || isSame(firstResponseDueAt, one.firstResponseDueAt) ? {} : { firstResponseDueAt }),
    ...(waits || isSame(resolutionDueAt, one.resolutionDueAt) ? {} : { resolutionDueAt }),
    ...(isSame(regulatorDueAt, one.regulatorDueAt) ? {} : { regulatorDueAt }),
  }
  if (Object.keys(changed).length > 0) await writeRecords(ctx, complaint, [{ kind: 'update', id: one.id, input: changed }])
}

/** After some weeks the client is written to; whoever handles it prints the letter where no address is known. */
async function oweStatusLetter(ctx: Ctx, one: OpenComplaint, age: string): Promise<void> {
  if (one.told.includes('statusLetter 100') || !(await isFirst(ctx, one, { clock: 'statusLetter', percent: 100 }))) return
  const sent = await ctx.sql.maybe(sql`
    select 1 from complaint_message where "companyId" = ${ctx.company.id}::uuid and "complaintId" = ${one.id}::uuid and "kind" = 'status' limit 1`)
  if (sent) return
  if (one.email) await writeLetter(ctx, { id: one.id, kind: 'status', way: 'mail' })
  else if (one.ownerUserId)
    await notifyPerson(ctx, one, {
      userId: one.ownerUserId,
      message: `Complaint ${one.number} is ${age} old: print the status letter`,
    })
}

/** True for the worker that stores the alert: of two workers only one sends it. */
async function isFirst(ctx: Ctx, { id }: Escalated, { clock, percent }: { clock: string; percent: number }): Promise<boolean> {
  const made = await ctx.sql.maybe(sql`
    insert into complaint_alert ("companyId", "complaintId", "clock", "percent") values (${ctx.company.id}::uuid, ${id}::uuid, ${clock}, ${percent})
    on conflict do nothing returning 1`)
  return made !== undefined
}

import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { sql } from '@outpost/platform/db/sql'
import { createRecord, updateRecord } from '../../kernel/resource/records.ts'
import type { RecordInput } from '../../kernel/resource/schema.ts'
import type { WireRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { clockJob } from './complaint.clock-job.ts'
import { notifyPerson } from './complaint.ladder.ts'
import { factsOf } from './complaint.letters.ts'
import { writeLetter } from './complaint.messages.ts'
import { complaint } from './complaint.resource.ts'

/** Records a complaint: its clocks begin, the client gets an acknowledgement where an address is known, and its handler is notified. */
export async function takeComplaint(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const made = await createRecord(ctx, complaint, input)
  clockJob.plan(ctx)
  const facts = await factsOf(ctx, made.Id)
  if (facts?.email) await writeLetter(ctx, { id: made.Id, kind: 'acknowledgement', way: 'mail' })
  await notifyOwner(ctx, made, null)
  return { data: { complaint: made }, message: 'Complaint created successfully' }
}

export async function changeComplaint(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const id = String(input['id'])
  const before = await ctx.sql.maybe<{ ownerUserId: string | null }>(sql`
    select "ownerUserId" from complaint where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  const changed = await updateRecord(ctx, complaint, id, input)
  await notifyOwner(ctx, changed, before?.ownerUserId ?? null)
  return { data: { complaint: changed }, message: 'Complaint updated successfully' }
}

async function notifyOwner(ctx: Ctx, record: WireRecord, before: string | null): Promise<void> {
  const owner = record['ownerUserId']
  if (typeof owner !== 'string' || owner === before || owner === ctx.user.id) return
  const one = {
    id: record.Id,
    tenantId: String(record['tenantId']),
    accusedUserId: record['accusedUserId'] as string | null,
    ownerUserId: owner,
  }
  await notifyPerson(ctx, one, {
    userId: owner,
    message: `Complaint ${String(record['complaintNumber'])} was given to you: ${String(record['subject'])}`,
  })
}

/** Deadlines follow from entries that the history has anyway; replies, letters and alerts have entries of their own. */
export const complaintHistory: HistoryOptions = {
  acts: { 'complaint.create': 'Taken down' },
  except: ['firstResponseDueAt', 'resolutionDueAt', 'firstResponseAt', 'resolvedAt', 'closedAt'],
  entries: ({ company }) => [
    sql`select m."at", m."userId", m."realUserId",
        case m."kind" when 'reply' then 'Reply to the client' when 'acknowledgement' then 'Acknowledgement' else 'Status letter' end as what,
        concat_ws(': ', coalesce(m."sentTo", m."way"), left(m."text", 200)) as detail
      from complaint_message m where m."companyId" = ${company.id}::uuid and m."complaintId" in (select id from ids)`,
    sql`select a."at", null::uuid as "userId", null::uuid as "realUserId", 'Escalated' as what,
        concat(case a."clock" when 'firstResponse' then 'first reply' when 'resolution' then 'to be settled' else 'ombud' end, ' ', a."percent", ' %') as detail
      from complaint_alert a where a."companyId" = ${company.id}::uuid and a."complaintId" in (select id from ids) and a."clock" <> 'statusLetter'`,
  ],
}

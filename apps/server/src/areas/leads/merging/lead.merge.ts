import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { mergePartKeys, takenValues, undoDays, undoneValues } from '@outpost/rules/leads/lead-merge'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { getRecord, removeRecords, restoreRecords, updateRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { nameOf, userName } from '../../../kernel/names.ts'
import { giveBack, moveBelongings, type Moved } from './lead.belongings.ts'
import { lead } from '../lead.resource.ts'
import { returnStatus } from '../lead.return.ts'

type Row = Record<string, unknown>

export const mergeInput = z
  .strictObject({
    winnerId: idSchema,
    loserId: idSchema,
    take: z
      .array(z.enum(mergePartKeys as [string, ...string[]]))
      .max(mergePartKeys.length)
      .default([]),
  })
  .refine(({ winnerId, loserId }) => winnerId.toLowerCase() !== loserId.toLowerCase(), { path: ['loserId'], error: 'is the same lead' })

/**
 * Makes one lead of two: the winner takes the chosen parts of the other, with all that belongs to it; with its client
 * also its status. The other is deleted as devices see it. All or nothing, and kept so that it can be undone for 30 days.
 */
export async function mergeLeads(ctx: Ctx, { winnerId, loserId, take }: z.infer<typeof mergeInput>): Promise<Answer> {
  return withStream(ctx, async (inner, stream) => {
    for (const id of [winnerId, loserId]) await getRecord(inner, lead, id)
    await refuseTwoClients(inner, winnerId, loserId)
    const [winner, loser] = [await rowOf(inner, winnerId), await rowOf(inner, loserId)]
    const moved = await moveBelongings(inner, stream, { from: loserId, to: winnerId, tenantId: String(winner['tenantId']) })
    const taken = takenValues(winner, loser, take)
    const after = { ...taken, ...contactMark(winner, loser, taken), ...(moved.clients?.length ? statusOf(winner, loser) : {}) }
    // The loser goes first: its number must be free before the winner may carry it.
    await removeRecords(inner, lead, [loserId])
    await setValues(inner, winnerId, after)
    const before = Object.fromEntries(Object.keys(after).map((key) => [key, winner[key] ?? null]))
    const merge = await inner.sql.one<{ Id: string }>(sql`
      insert into lead_merge ("companyId", "id", "tenantId", "winnerId", "loserId", "before", "after", "moved", "mergedByUserId")
      values (${inner.company.id}, gen_random_uuid(), ${String(winner['tenantId'])}, ${winnerId}, ${loserId},
        ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${JSON.stringify(moved)}::jsonb, ${inner.user.id}) returning "id" as "Id"`)
    audit(inner, { action: 'lead.merge', objectType: 'lead', objectId: winnerId, after: { mergeId: merge.Id, loserId, take } })
    return { data: { merge, lead: await getRecord(inner, lead, winnerId) }, message: 'The two leads are one now.' }
  })
}

/** A contact point that nobody has confirmed stays unconfirmed in the lead that takes it; a merge alone changes none. */
function contactMark(winner: Row, loser: Row, taken: Row): Row {
  const isTaken = ['trimmedPhonenumber', 'emailAddress', 'contactNumber'].some((key) => Object.hasOwn(taken, key))
  const from = isTaken && winner['contactChangedAt'] === null ? loser : winner
  return isTaken
    ? { contactChangedAt: from['contactChangedAt'] ?? null, contactChangedByUserId: from['contactChangedByUserId'] ?? null }
    : {}
}

/** What takes over the client of a lead takes that lead's status, since then. */
function statusOf(winner: Row, loser: Row): Row {
  if (winner['status'] === loser['status']) return {}
  return { status: loser['status'], statusReason: loser['statusReason'] ?? null, statusSince: loser['statusSince'] }
}

/** Writes values that a merge or its undoing gives; a status was reached before, by the other lead. */
async function setValues(ctx: Ctx, id: string, { status, statusReason = null, statusSince, ...values }: Row): Promise<void> {
  if (status !== undefined)
    await returnStatus(ctx, id, { status: String(status), reason: statusReason as string | null, since: String(statusSince) }, values)
  else if (Object.keys(values).length > 0) await updateRecord(ctx, lead, id, values)
}

async function refuseTwoClients(ctx: Ctx, ...leadIds: string[]): Promise<void> {
  const { clients } = await ctx.sql.one<{ clients: number }>(sql`
    select count(*)::int as clients from client where "companyId" = ${ctx.company.id} and "leadId" = any(${leadIds}::uuid[]) and "deletedAt" is null`)
  if (clients > 1) fail('CONFLICT', { message: 'Both leads are clients already. Two clients cannot be merged here.' })
}

/** The row as the table holds it, locked; numbers and times as JSON writes them, so that they go back unchanged. */
async function rowOf(ctx: Ctx, id: string): Promise<Row> {
  const { row } = await ctx.sql.one<{ row: Row }>(
    sql`select to_jsonb(t) as row from lead t where t."companyId" = ${ctx.company.id} and t."id" = ${id} for update`,
  )
  return row
}

interface MergeRow {
  winnerId: string
  loserId: string
  before: Row
  after: Row
  moved: Moved
  isUndone: boolean
  isLate: boolean
}

/**
 * Makes two leads of one again, exactly as they were: values go back, but for what somebody changed since (data.kept),
 * belongings return, and the other lead comes back unless somebody holds its number by now.
 */
export async function undoMerge(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  return withStream(ctx, async (inner, stream) => {
    const merge = await openMerge(inner, id)
    const now = await rowOf(inner, merge.winnerId)
    if (now['deletedAt'] !== null) fail('CONFLICT', { message: 'The lead that stayed was deleted or merged since. Bring it back first.' })
    const { values, kept } = undoneValues({ before: merge.before, after: merge.after, now })
    if (kept.includes('status')) for (const key of ['statusReason', 'statusSince']) delete values[key]
    await setValues(inner, merge.winnerId, values)
    const [loser] = await restoreRecords(inner, lead, [merge.loserId])
    await giveBack(inner, stream, { from: merge.winnerId, to: merge.loserId, moved: merge.moved })
    await inner.sql.exec(
      sql`update lead_merge set "undoneAt" = now(), "undoneByUserId" = ${inner.user.id} where "companyId" = ${inner.company.id} and "id" = ${id}`,
    )
    audit(
      inner,
      [merge.winnerId, merge.loserId].map((objectId) => ({
        action: 'lead.unmerge',
        objectType: 'lead',
        objectId,
        after: { mergeId: id, kept },
      })),
    )
    const message = kept.length === 0 ? 'Both leads are back as they were.' : 'Both leads are back. What was changed since the merge stays.'
    return { data: { lead: await getRecord(inner, lead, merge.winnerId), restored: loser, kept }, message }
  })
}

async function openMerge(ctx: Ctx, id: string): Promise<MergeRow> {
  const merge = await ctx.sql.maybe<MergeRow>(sql`
    select "winnerId", "loserId", "before", "after", "moved", "undoneAt" is not null as "isUndone", "dateCreated" < now() - make_interval(days => ${undoDays}) as "isLate"
    from lead_merge where "companyId" = ${ctx.company.id} and "id" = ${id} for update`)
  if (!merge) return fail('NOT_FOUND')
  if (merge.isUndone) fail('CONFLICT', { message: 'This merge was undone already.' })
  if (merge.isLate) fail('CONFLICT', { message: `A merge can be undone for ${undoDays} days; this one is older.` })
  return merge
}

/** The merges a lead went through, newest first, and until when each can be undone. */
export async function leadMerges(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, lead, id)
  const merges = await ctx.sql.query(sql`
    select m."id" as "Id", m."dateCreated", m."loserId", ${nameOf('l')} as name, l."phonenumber",
      ${userName(sql`m."companyId"`, sql`m."mergedByUserId"`)} as who,
      m."undoneAt", m."dateCreated" + make_interval(days => ${undoDays}) as until,
      case when m."undoneAt" is not null then 'UNDONE' when m."dateCreated" < now() - make_interval(days => ${undoDays}) then 'FINAL' else 'OPEN' end as state
    from lead_merge m join lead l on l."companyId" = m."companyId" and l."id" = m."loserId"
    where m."companyId" = ${ctx.company.id} and m."winnerId" = ${id} order by m."dateCreated" desc limit 100`)
  return { data: { merges } }
}

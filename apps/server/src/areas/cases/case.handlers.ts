import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { commentNews } from '../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { addComment, type CommentInput } from '../../kernel/resource/comments.ts'
import type { HistoryOptions } from '../../kernel/resource/history.ts'
import { getRecord, updateRecord, updateRecords, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { caseNews } from './case.news.ts'
import { salesCase } from './case.resource.ts'

interface StageRow { id: string, name: string, type: string, statuses: string[] }
const ids = z.array(idSchema).min(1).max(500)

export const moveInput = z.strictObject({ id: idSchema, stageId: idSchema })

/** Moves a case to another stage of its pipeline; the stage says its status, and leaving the open ones settles it. */
export async function moveCase(ctx: Ctx, { id, stageId }: z.infer<typeof moveInput>): Promise<Answer> {
  const before = await getRecord(ctx, salesCase, id)
  const stages = await ctx.sql.query<StageRow>(sql`
    select "id", "name", "type", "statuses" from pipeline_stage
    where "companyId" = ${ctx.company.id}::uuid and "pipelineId" = ${before['pipelineId'] as string}::uuid order by "position"`)
  const goal = stages.find((stage) => stage.id === stageId)
    ?? fail('ILLEGAL_TRANSITION', { message: 'This stage is not one of the case’s pipeline.', details: { allowed: stages.map(({ id: Id, name }) => ({ Id, name })) } })
  if (before['stageId'] === stageId) return { data: { case: before }, message: 'Case updated successfully' }
  await logMove(ctx, { before, from: stages.find((stage) => stage.id === before['stageId'])?.name ?? null, to: goal.name })
  const status = goal.statuses.includes(String(before['status'])) ? before['status'] : goal.statuses[0]
  const saved = await updateRecord(ctx, salesCase, id, {
    stageId, status, resolvedAt: goal.type === 'open' ? null : new Date(before['resolvedAt'] as string ?? Date.now()), ...responded(before),
  })
  return { data: { case: saved }, message: `Moved to ${goal.name}` }
}

/** The first that anybody does about a case is the response to it. */
const responded = (before: WireRecord) => before['firstResponseAt'] === null ? { firstResponseAt: new Date() } : {}

async function logMove(ctx: Ctx, { before, from, to }: { before: WireRecord, from: string | null, to: string }): Promise<void> {
  await ctx.sql.exec(sql`
    insert into case_move ("companyId", "id", "tenantId", "caseId", "fromStage", "toStage", "userId", "realUserId", "durationSeconds")
    select ${ctx.company.id}::uuid, gen_random_uuid(), ${before['tenantId'] as string}::uuid, ${before.Id}::uuid, ${from}, ${to}, ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid,
      greatest(0, extract(epoch from now() - coalesce((select max(m."dateCreated") from case_move m where m."companyId" = ${ctx.company.id}::uuid and m."caseId" = ${before.Id}::uuid),
        ${before['dateCreated'] as string}::timestamptz)))::bigint`)
}

const page = { open: '/sales/cases/view/:id' }

/** Adds a comment; the owner hears of it unless it is the owner's own or mentions the owner anyway. */
export async function commentCase(ctx: Ctx, input: CommentInput): Promise<Answer> {
  const { comment, record } = await addComment(ctx, salesCase, input, page)
  if (record['firstResponseAt'] === null) await updateRecord(ctx, salesCase, input.id, responded(record))
  const owner = record['ownerUserId'] as string | null
  if (owner && owner !== ctx.user.id && !input.mentions?.includes(owner)) {
    await notify(ctx, { userId: owner, itemType: 'Comment', kind: commentNews, itemId: input.id, message: `${ctx.user.firstName} commented on ${String(record['caseNumber'])}`, link: page.open.replace(':id', input.id) })
  }
  return { data: { comment }, message: 'Comment added' }
}

export const assignInput = z.strictObject({ ids, userId: idSchema })

/** Gives cases to one owner, all or none, and tells the owner. */
export async function assignCases(ctx: Ctx, input: z.infer<typeof assignInput>): Promise<Answer> {
  const cases = await updateRecords(ctx, salesCase, input.ids, { ownerUserId: input.userId })
  if (input.userId !== ctx.user.id) {
    await notify(ctx, { userId: input.userId, itemType: 'Message', kind: caseNews, message: cases.length === 1 ? 'A case was given to you' : `${cases.length} cases were given to you`, link: '/sales/cases' })
  }
  return { data: { cases }, message: cases.length === 1 ? 'Case assigned' : `${cases.length} cases assigned` }
}

/** What the history of a case says beside its fields: through which stages it went. */
export const caseHistory: HistoryOptions = {
  acts: { 'case.create': 'Opened' }, except: ['stageId', 'status', 'firstResponseAt', 'resolvedAt'],
  entries: (ctx) => [sql`
    select "dateCreated" as at, "userId", "realUserId", concat(coalesce("fromStage", '-'), ' → ', "toStage") as what, null as detail
    from case_move where "companyId" = ${ctx.company.id}::uuid and "caseId" in (select id from ids)`],
}

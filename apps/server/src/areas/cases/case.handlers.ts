import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { announce } from '../../kernel/realtime/announce.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { changedWords } from '../../kernel/resource/changed.ts'
import { getRecord, restoreRecords, updateRecord, updateRecords, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
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

export const commentInput = z.strictObject({ id: idSchema, text: z.string().trim().min(1, 'is required').max(4_000).refine((text) => !text.includes('\0'), 'may not hold the NUL character') })

/** Adds a comment; the owner hears of it unless it is the owner's own. */
export async function commentCase(ctx: Ctx, { id, text }: z.infer<typeof commentInput>): Promise<Answer> {
  const found = await getRecord(ctx, salesCase, id)
  const comment = await ctx.sql.one(sql`
    insert into case_comment ("companyId", "id", "tenantId", "caseId", "userId", "text")
    values (${ctx.company.id}::uuid, gen_random_uuid(), ${found['tenantId'] as string}::uuid, ${id}::uuid, ${ctx.user.id}::uuid, ${text})
    returning "id" as "Id", "text", "userId", "dateCreated"`)
  if (found['firstResponseAt'] === null) await updateRecord(ctx, salesCase, id, responded(found))
  else announce(ctx, salesCase, [id], 'updated', [found['tenantId'] as string])
  const owner = found['ownerUserId'] as string | null
  if (owner && owner !== ctx.user.id) await notify(ctx, { userId: owner, itemType: 'Comment', itemId: id, message: `${ctx.user.firstName} commented on ${String(found['caseNumber'])}`, link: `/sales/cases/view/${id}` })
  return { data: { comment }, message: 'Comment added' }
}

export const assignInput = z.strictObject({ ids, userId: idSchema })

/** Gives cases to one owner, all or none, and tells the owner. */
export async function assignCases(ctx: Ctx, input: z.infer<typeof assignInput>): Promise<Answer> {
  const cases = await updateRecords(ctx, salesCase, input.ids, { ownerUserId: input.userId })
  if (input.userId !== ctx.user.id) {
    await notify(ctx, { userId: input.userId, itemType: 'Message', kind: 'cases', message: cases.length === 1 ? 'A case was given to you' : `${cases.length} cases were given to you`, link: '/sales/cases' })
  }
  return { data: { cases }, message: cases.length === 1 ? 'Case assigned' : `${cases.length} cases assigned` }
}

export const restoreInput = z.strictObject({ ids })

export async function restoreCases(ctx: Ctx, input: z.infer<typeof restoreInput>): Promise<Answer> {
  const cases = await restoreRecords(ctx, salesCase, input.ids)
  return { data: { cases }, message: cases.length === 1 ? 'Case restored' : `${cases.length} cases restored` }
}

/** Everything that happened to a case, newest first: opened, moved, commented, changed. */
export async function caseTimeline(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, salesCase, id)
  const company = ctx.company.id
  const timeline = await ctx.sql.query(sql`
    select e.at, coalesce(nullif(concat_ws(' ', u."firstName", u."lastName"), ''), 'System') as who, e.what, e.detail from (
      select "dateCreated" as at, "userId", 'Comment' as what, "text" as detail from case_comment where "companyId" = ${company} and "caseId" = ${id}
      union all select "dateCreated", "userId", concat(coalesce("fromStage", '-'), ' → ', "toStage"), null from case_move where "companyId" = ${company} and "caseId" = ${id}
      union all select "at", "userId", case "action" when 'case.create' then 'Opened' when 'case.remove' then 'Deleted' when 'case.restore' then 'Restored' else 'Changed' end,
          c.fields
        from audit_log g left join lateral (select ${changedWords(salesCase, { before: sql`g."before"`, after: sql`g."after"`, company: ctx.company, except: ['stageId', 'status', 'firstResponseAt', 'resolvedAt'] })} as fields) c on g."action" = 'case.update'
        where g."companyId" = ${company} and "objectType" = 'case' and "objectId" = ${id} and "action" in ('case.create', 'case.remove', 'case.restore', 'case.update') and ("action" <> 'case.update' or c.fields is not null)
    ) e left join app_user u on u."companyId" = ${company} and u."id" = e."userId" order by e.at desc limit 500`)
  return { data: { timeline } }
}

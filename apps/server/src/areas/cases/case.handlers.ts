import { z } from 'zod'
import { commentNews } from '../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { addComment, type CommentInput } from '../../kernel/keeps/comments.ts'
import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { updateRecord, updateRecords } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { caseNews } from './case.news.ts'
import { salesCase } from './case.resource.ts'

const ids = z.array(idSchema).min(1).max(500)

const page = { open: '/sales/cases/view/:id' }

/** Adds a comment; the owner hears of it unless it is the owner's own or mentions the owner anyway. */
export async function commentCase(ctx: Ctx, input: CommentInput): Promise<Answer> {
  const { comment, record } = await addComment(ctx, salesCase, input, page)
  if (record['firstResponseAt'] === null) await updateRecord(ctx, salesCase, input.id, { firstResponseAt: new Date() })
  const owner = record['ownerUserId'] as string | null
  if (owner && owner !== ctx.user.id && !input.mentions?.includes(owner)) {
    await notify(ctx, {
      userId: owner,
      itemType: 'Comment',
      kind: commentNews,
      itemId: input.id,
      message: `${ctx.user.firstName} commented on ${String(record['caseNumber'])}`,
      link: page.open.replace(':id', input.id),
    })
  }
  return { data: { comment }, message: 'Comment added' }
}

export const assignInput = z.strictObject({ ids, userId: idSchema })

/** Gives cases to one owner, all or none, and notifies the owner. */
export async function assignCases(ctx: Ctx, input: z.infer<typeof assignInput>): Promise<Answer> {
  const cases = await updateRecords(ctx, salesCase, input.ids, { ownerUserId: input.userId })
  if (input.userId !== ctx.user.id) {
    await notify(ctx, {
      userId: input.userId,
      itemType: 'Message',
      kind: caseNews,
      ...(cases.length === 1
        ? { itemId: input.ids[0] ?? null, message: 'A case was given to you', link: page.open.replace(':id', input.ids[0] ?? '') }
        : { message: `${cases.length} cases were given to you`, link: '/sales/cases' }),
    })
  }
  return { data: { cases }, message: cases.length === 1 ? 'Case assigned' : `${cases.length} cases assigned` }
}

/** What the history of a case says beside its moves. */
export const caseHistory: HistoryOptions = { acts: { 'case.create': 'Opened' }, except: ['status', 'firstResponseAt', 'resolvedAt'] }

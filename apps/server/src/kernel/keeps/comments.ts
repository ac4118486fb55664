import { failField } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { announce } from '../realtime/announce.ts'
import { commentNews } from '../realtime/notification-kinds.ts'
import { notify } from '../realtime/notify.ts'
import type { ActionDefinition, AnyResource, Answer, Ctx, FieldDefinition, Operation } from '../types.ts'
import { hiddenFrom } from '../realtime/hidden.ts'
import { batched } from '../resource/read/batched.ts'
import { idSchema } from '../resource/schema.ts'
import { readRecord, type WireRecord } from '../resource/write.ts'
import { inSentence } from '../in-sentence.ts'

/** What a comment says and whom it mentions. */
export const commentInput = z.strictObject({
  id: idSchema,
  text: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(4_000)
    .refine((text) => !text.includes('\0'), 'may not hold the NUL character'),
  mentions: z.array(idSchema).max(20).nullish(),
})
export const commentAnswer = z.strictObject({
  comment: z.strictObject({
    Id: identifierSchema,
    text: z.string(),
    userId: identifierSchema,
    mentions: z.array(identifierSchema),
    dateCreated: z.iso.datetime(),
  }),
})
export type CommentInput = z.infer<typeof commentInput>

/** The action of a resource that keeps comments; `route` names its call. */
export const commentAction = (route: string): ActionDefinition => ({
  route,
  label: 'Comment',
  scope: 'row',
  form: {
    text: { kind: 'longText', label: 'Comment', required: true, maxLength: 4_000 },
    mentions: { kind: 'multiReference', label: 'Tell', to: 'user', help: 'They are told of it at once.' },
  },
})

/** How many comments a record of the resource has. */
export function commentCount(one: string): FieldDefinition & { sql: string } {
  const from = `(select * from record_comment where "objectType" = '${one}') k`
  return { kind: 'number', label: 'Comments', readOnly: true, ...batched({ from, alias: 'k', key: 'objectId' }, 'count(*)::int', '0') }
}

/** The route operation that comments on a record, whose own screen is at the path `open`. Refusals: as addComment. */
export function comment(resource: AnyResource, { open }: { open: string }): Operation<CommentInput> {
  return {
    kind: 'command',
    resource,
    input: commentInput,
    isReadOnly: false,
    answer: commentAnswer,
    run: async (ctx, input): Promise<Answer> => ({
      data: { comment: (await addComment(ctx, resource, input, { open })).comment },
      message: 'Comment added',
    }),
  }
}

/**
 * Stores a comment on a record that the caller sees and notifies those it mentions. The comment is stored under the record's tenant, so that it is
 * read by whoever reads the record. NOT_FOUND; INVALID on mentions for people who do not reach the record.
 */
export async function addComment(
  ctx: Ctx,
  resource: AnyResource,
  { id, text, mentions }: CommentInput,
  { open }: { open: string },
): Promise<{ comment: Record<string, unknown>; record: WireRecord }> {
  const record = await readRecord(ctx, resource, id)
  const mentioned = [...new Set(mentions)]
  const hidden = hiddenFrom(resource, record)
  if (mentioned.some((one) => hidden.includes(one.toLowerCase()))) refuseMention()
  await refuseWhoDoesNotReach(ctx, String(record['tenantId']), mentioned)
  const comment = await ctx.sql.one(sql`
    insert into record_comment ("companyId", "id", "tenantId", "objectType", "objectId", "userId", "realUserId", "text", "mentions")
    values (${ctx.company.id}::uuid, uuidv7(), ${record['tenantId'] as string}::uuid, ${resource.one}, ${id}::uuid, ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid, ${text}, ${mentioned}::uuid[])
    returning "id" as "Id", "text", "userId", "mentions", "dateCreated"`)
  announce(ctx, resource, [id], 'updated', { tenantIds: [record['tenantId'] as string], exceptUserIds: hiddenFrom(resource, record) })
  const message = `${ctx.user.firstName} mentioned you on ${inSentence(resource.label)} ${String(record[resource.title])}`
  for (const userId of mentioned.filter((one) => one !== ctx.user.id))
    await notify(ctx, { userId, itemType: 'Comment', kind: commentNews, itemId: id, message, link: open.replace(':id', id) })
  return { comment, record }
}

/** A record is seen by who works in its tenant or above: nobody else learns its name. */
async function refuseWhoDoesNotReach(ctx: Ctx, tenantId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const { known } = await ctx.sql.one<{ known: number }>(sql`
    select count(*)::int as known from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = any(${userIds}::uuid[]) and u."status" = 1 and u."deletedAt" is null
      and exists (select 1 from user_tenant m join tenant t on t."companyId" = m."companyId" and t."id" = ${tenantId}::uuid
        where m."companyId" = u."companyId" and m."userId" = u."id" and m."tenantId" = any(t."path"))`)
  if (known < userIds.length) refuseMention()
}

function refuseMention(): never {
  failField('mentions', 'is not an active user who sees this record')
}

/** Comments as entries of a history, for the records in the table ids(id). */
export const commentEntries = (ctx: Ctx, { one }: AnyResource): Statement => sql`
  select "dateCreated" as at, "userId", "realUserId", 'Comment' as what, "text" as detail from record_comment
  where "companyId" = ${ctx.company.id}::uuid and "objectType" = ${one} and "objectId" in (select id from ids)`

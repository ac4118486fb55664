import { fail, failField } from '@outpost/contract/errors'
import type { Answers } from '@outpost/contract/web-forms/form'
import { sql } from '@outpost/platform/db/sql'
import { filesOf } from '@outpost/rules/forms/answer-files'
import type { AnsweredQuestion } from '@outpost/rules/forms/answer-words'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { linkFiles } from '../../kernel/keeps/file-pairs.ts'
import { createRecord, getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { idSchema, type RecordInput } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { webFormAnswer } from './answer.resource.ts'

export const attachInput = z.strictObject({ id: idSchema, newFiles: z.array(idSchema).min(1).max(50) })

/** Takes a filled form; those of its files that the caller has stored already are tied to it. A device sends them by themselves. */
export async function fillForm(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const record = await createRecord(ctx, webFormAnswer, input)
  const stored = await ownStored(ctx, namedFiles(record))
  await linkFiles(ctx, { resource: webFormAnswer, id: String(record['Id']), ids: stored }, 'answers')
  return { data: { webFormAnswer: record }, message: 'Form sent' }
}

/** Ties stored files to the filled form that names them; twice is once. Only who filled it in, with files of their own. */
export async function attachFiles(ctx: Ctx, { id, newFiles }: z.infer<typeof attachInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const record = await getRecord(inner, webFormAnswer, id)
    if (record['createdByUserId'] !== inner.user.id) fail('FORBIDDEN')
    const ids = [...new Set(newFiles.map((one) => one.toLowerCase()))]
    const named = namedFiles(record)
    if (ids.some((one) => !named.includes(one))) failField('newFiles', 'names a file that the filled form does not')
    if ((await ownStored(inner, ids)).length < ids.length) failField('newFiles', 'names a file that is not stored')
    const gained = await linkFiles(inner, { resource: webFormAnswer, id, ids }, 'newFiles')
    if (gained.length > 0)
      audit(inner, { action: 'webFormAnswer.files', objectType: 'webFormAnswer', objectId: id, after: { newFiles: gained } })
    return { data: { webFormAnswer: gained.length > 0 ? await updateRecord(inner, webFormAnswer, id, {}) : record }, message: 'File added' }
  })
}

const namedFiles = (record: Record<string, unknown>): string[] => filesOf((record['answers'] ?? {}) as Answers).map(({ Id }) => Id)

/** Those of the files that the caller stored: nobody shows another's paper by naming it. */
async function ownStored(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.sql.query<{ id: string }>(sql`
    select "id" from stored_file where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[]) and "createdByUserId" = ${ctx.user.id}::uuid and "deletedAt" is null`)
  return rows.map(({ id }) => id)
}

interface AnswerRow {
  page: string
  question: string
  answer: string
  /** Paths of a stored file; of a picture both. */
  picture: string | null
  file: string | null
}

/** Answers as rows, one a file; a file that is still on a device says so. */
export async function withFiles(ctx: Ctx, id: string, answers: readonly AnsweredQuestion[]): Promise<AnswerRow[]> {
  const stored = await ctx.sql.query<{ id: string; path: string }>(sql`
    select f."id", '/api/storage/' || f."path" as path from web_form_answer_file x join stored_file f on f."companyId" = x."companyId" and f."id" = x."fileId"
    where x."companyId" = ${ctx.company.id}::uuid and x."answerId" = ${id}::uuid and x."removedAt" is null and f."deletedAt" is null`)
  const paths = new Map(stored.map((file) => [file.id, file.path]))
  return answers.flatMap(({ files, ...row }) =>
    files.length === 0
      ? [{ ...row, picture: null, file: null }]
      : files.map(({ Id, name, mimeType }) => {
          const path = paths.get(Id) ?? null
          const isPicture = mimeType.startsWith('image/')
          return { ...row, answer: path ? name : `${name} (not here yet)`, picture: isPicture ? path : null, file: path }
        }),
  )
}

import { z } from 'zod'
import { fail } from '@outpost/contract/errors'
import { formPages } from '@outpost/contract/web-forms/pages'
import type { FormPage } from '@outpost/contract/web-forms/form'
import { sql } from '@outpost/platform/db/sql'
import { answeredQuestions } from '@outpost/rules/forms/answer-words'
import { createRecord, getRecord } from '../../kernel/resource/records.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { withFiles } from './answer.files.ts'
import { webFormAnswer } from './answer.resource.ts'
import { webForm } from './form.resource.ts'
import { readPages } from './form.rules.ts'
import { webFormVersion } from './version.resource.ts'

export const publishInput = z.strictObject({ id: idSchema, version: z.int().min(0).optional() })

/** Makes the draft of a form the next version, which is filled in from now on. CONFLICT where nothing changed since the last one. */
export async function publishForm(ctx: Ctx, { id, version }: z.infer<typeof publishInput>): Promise<Answer> {
  await getRecord(ctx, webForm, id)
  // Who publishes at the same moment waits here, and then finds nothing to publish.
  await ctx.sql.exec(sql`select from web_form where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`)
  const form = await getRecord(ctx, webForm, id)
  if (form['hasChanges'] !== true) fail('CONFLICT', { message: `Nothing has changed since version ${String(form['versionNumber'])}.` })
  const pages = readPages(form['pages'])
  if (pages.length === 0) fail('INVALID', { fields: [{ field: 'pages', message: 'ask nothing yet: add a question' }] })
  const number = Number(form['versionNumber'] ?? 0) + 1
  const published = { publishedAt: new Date(), publishedByUserId: ctx.user.id }
  const { name, description, about } = form
  await writeRecords(ctx, webFormVersion, [
    { kind: 'create', input: {}, columns: { formId: id, number, name, description, about, pages, ...published } },
  ])
  const isNew = form['status'] !== 'Published'
  await writeRecords(ctx, webForm, [
    {
      kind: 'update',
      id,
      version,
      input: isNew ? { status: 'Published' } : {},
      columns: { versionNumber: number, ...published },
      ...(isNew ? { move: { field: 'status', name: 'publish', asked: {} } } : {}),
    },
  ])
  return { data: { webForm: await getRecord(ctx, webForm, id) }, message: `Published as version ${number}` }
}

/** A draft that asks the same as another form. */
export async function duplicateForm(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { name, description, about, pages } = await getRecord(ctx, webForm, id)
  const made = await createRecord(ctx, webForm, { name: `${String(name).slice(0, 110)} (copy)`, description, about, pages })
  return { data: { webForm: made }, message: `${String(made['name'])} created` }
}

export const answeredAnswer = z.strictObject({
  answers: z.array(
    z.strictObject({
      page: z.string(),
      question: z.string(),
      answer: z.string(),
      picture: z.string().nullable(),
      file: z.string().nullable(),
    }),
  ),
})

/** What was answered, in words, by the version that it was filled in under. */
export async function answered(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, webFormAnswer, id)
  const { pages } = await ctx.sql.one<{ pages: FormPage[] }>(
    sql`select "pages" from web_form_version where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(record['formVersionId'])}::uuid`,
  )
  const questions = answeredQuestions(formPages.parse(pages), record['answers'] as Record<string, unknown>)
  return { data: { answers: await withFiles(ctx, id, questions) } }
}

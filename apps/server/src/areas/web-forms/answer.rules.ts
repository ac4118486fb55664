import { fail, type FieldError } from '@outpost/contract/errors'
import { formPages } from '@outpost/contract/web-forms/pages'
import type { FormSubject } from '@outpost/contract/web-forms/form'
import type { Permission } from '@outpost/contract/permissions'
import type { ModelRow } from '@outpost/platform/db/models'
import { every, identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { answersText } from '@outpost/rules/forms/answer-words'
import { checkAnswers } from '@outpost/rules/forms/form-answers'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'webFormAnswer'>
type Version = Record<'formId' | 'name', string> & { about: FormSubject; pages: unknown; status: string; isDeleted: boolean }

/** What a form may be filled in about: the column that names the record, and the right to look at such records. */
export const subjects = {
  lead: { column: 'leadId', permission: 'SALES/LEADS' },
  client: { column: 'clientId', permission: 'CLIENTS' },
  activity: { column: 'activityId', permission: 'SALES/ACTIVITIES/ACTIVITIES' },
} as const satisfies Partial<Record<FormSubject, { column: keyof Row; permission: Permission }>>
const kinds = Object.entries(subjects)

/** Who may not look at leads does not read what was answered about one, and so on; who makes the forms reads all of it in reach. */
export function seenAnswers(ctx: Ctx): Statement | null {
  if (holdsAny(ctx, 'ADMIN/WEBFORMS')) return null
  const closed = kinds.filter(([, { permission }]) => !holdsAny(ctx, permission))
  return closed.length === 0 ? null : every(closed.map(([, { column }]) => sql`t.${identifier(column)} is null`))
}

/**
 * Answers are checked by the version that they name, whatever was published since. A form that is archived is not filled in any more, but what
 * was filled in on the road before that is kept.
 */
export async function prepareAnswer(ctx: Ctx, { kind, input, isSync }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind !== 'create') return {}
  const version = await ctx.sql.maybe<Version>(sql`
    select v."formId", v."name", v."about", v."pages", f."status", f."deletedAt" is not null as "isDeleted" from web_form_version v
      join web_form f on f."companyId" = v."companyId" and f."id" = v."formId" where v."companyId" = ${ctx.company.id}::uuid and v."id" = ${input.formVersionId}::uuid`)
  if (!version) return fail('INVALID', { fields: [{ field: 'formVersionId', message: 'is not a form of your company' }] })
  if (!isSync && (version.status === 'Archived' || version.isDeleted))
    fail('CONFLICT', { message: `“${version.name}” is not filled in any more.` })
  const pages = formPages.parse(version.pages)
  const { values, faults } = checkAnswers(pages, readAnswers(input.answers), ctx.company)
  const fields = [...subjectFaults(ctx, version.about, input), ...faults]
  if (fields.length > 0) fail('INVALID', { fields })
  const { formId, name } = version
  const now = new Date()
  const filledAt = input.filledAt && input.filledAt < now ? input.filledAt : now
  return { formId, name, answers: values as Row['answers'], summary: answersText(pages, values), filledAt, createdByUserId: ctx.user.id }
}

function readAnswers(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given))
    return fail('INVALID', { fields: [{ field: 'answers', message: 'is no set of answers' }] })
  return given as Record<string, unknown>
}

/** A form about a lead names a lead, and nothing else. */
function subjectFaults(ctx: Ctx, about: FormSubject, input: Partial<Row>): FieldError[] {
  return kinds.flatMap(([kind, { column, permission }]) => {
    const isGiven = (input[column] ?? null) !== null
    if (kind !== about) return isGiven ? [{ field: column, message: 'is not what this form is about' }] : []
    if (!isGiven) return [{ field: column, message: 'is required: the form is about it' }]
    return holdsAny(ctx, permission) ? [] : [{ field: column, message: 'may not be looked at by you' }]
  })
}

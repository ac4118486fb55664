import { fail } from '@outpost/contract/errors'
import { formPages } from '@outpost/contract/web-forms/pages'
import type { Question } from '@outpost/contract/web-forms/form'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { nameOf, userName } from '../../kernel/names.ts'
import { defineReport, type ColumnKind, type ReportColumn } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Ctx } from '../../kernel/types.ts'
import { webFormAnswer } from './answer.resource.ts'

/** What was answered to a form, a column for each question that any of its versions asked. */
export const answersReport = defineReport({
  name: 'webFormAnswers',
  title: 'Answers of a form',
  menu: { label: 'Answers of a form', icon: 'file-chart', order: 30 },
  description: 'Everything that was filled in under a form in a period, a column a question, for sheets and for printing.',
  anyOf: ['ADMIN/WEBFORMS'],
  input: z.strictObject({ ...periodInput, formId: idSchema.optional() }),
  fields: [{ key: 'formId', kind: 'reference', label: 'Form', to: 'webForm', help: 'The one published last when empty' }, ...periodFields],
  async plan(ctx, input) {
    const period = periodOf(ctx, input)
    const { formId, name, questions } = await readForm(ctx, input.formId)
    return {
      title: `Answers of a form`,
      filters: [{ label: 'Form', value: name }, ...periodFilters(period)],
      definition:
        'What was filled in during the period, by the clock of who filled it in, in the branches in reach. A question that another version asked, or that was not asked, has no answer.',
      columns: [...fixedColumns, ...questions.map(columnOf)],
      statement: sql`
        select t."filledAt", ${userName(sql`t."companyId"`, sql`t."createdByUserId"`)} as "filledBy", b."name" as "branch", coalesce(nullif(${nameOf('l')}, ''), nullif(${nameOf('c')}, ''), a."name") as "about", v."number" as "version"
          ${join(
            questions.map((question) => sql`, ${answerOf(question)} as ${identifier(keyOf(question))}`),
            '',
          )}
        from web_form_answer t join web_form_version v on v."companyId" = t."companyId" and v."id" = t."formVersionId"
          left join tenant b on b."companyId" = t."companyId" and b."id" = t."tenantId" left join lead l on l."companyId" = t."companyId" and l."id" = t."leadId"
          left join client c on c."companyId" = t."companyId" and c."id" = t."clientId" left join activity a on a."companyId" = t."companyId" and a."id" = t."activityId"
        where ${visibleRows(ctx, webFormAnswer)} and t."formId" = ${formId}::uuid and t."filledAt" >= ${period.from} and t."filledAt" < ${period.until}
        order by t."filledAt", t."id"`,
    }
  },
})

const fixedColumns: ReportColumn[] = [
  { key: 'filledAt', title: 'Filled in', kind: 'dateTime', width: 18 },
  { key: 'filledBy', title: 'Filled in by', kind: 'text', width: 24 },
  { key: 'branch', title: 'Branch', kind: 'text', width: 22 },
  { key: 'about', title: 'About', kind: 'text', width: 26 },
  { key: 'version', title: 'Version', kind: 'number', width: 9 },
]

/** The questions of all versions, each as its newest one asks it; of the form published last where none is named. */
async function readForm(ctx: Ctx, wanted: string | undefined): Promise<{ formId: string; name: string; questions: Question[] }> {
  const versions = await ctx.sql.query<{ formId: string; name: string; pages: unknown }>(sql`
    select f."id" as "formId", f."name", v."pages" from web_form f join web_form_version v on v."companyId" = f."companyId" and v."formId" = f."id"
    where f."companyId" = ${ctx.company.id}::uuid and f."id" = coalesce(${wanted ?? null}::uuid,
      (select n."id" from web_form n where n."companyId" = f."companyId" and n."publishedAt" is not null and n."deletedAt" is null order by n."publishedAt" desc, n."id" limit 1))
    order by v."number" desc`)
  const [newest] = versions
  if (!newest) return fail('INVALID', { fields: [{ field: 'formId', message: 'is no form that was published' }] })
  const asked = versions.flatMap(({ pages }) => formPages.parse(pages).flatMap(({ questions }) => questions))
  return {
    formId: newest.formId,
    name: newest.name,
    questions: [...Map.groupBy(asked, ({ key }) => key).values()].flatMap(([first]) => first ?? []),
  }
}

const keyOf = ({ key }: Question) => `q_${key}`
const sheetKinds: Partial<Record<Question['kind'], ColumnKind>> = { number: 'number', money: 'money', date: 'date' }
const columnOf = (question: Question): ReportColumn => ({
  key: keyOf(question),
  title: question.label,
  kind: sheetKinds[question.kind] ?? 'text',
  width: 22,
})

/** An answer as its column shows it. Another version may have asked for another kind of value under the same key. */
function answerOf({ key, kind, options = [] }: Question): Statement {
  const [value, text] = [sql`t."answers" -> ${key}::text`, sql`t."answers" ->> ${key}::text`]
  const labels = JSON.stringify(Object.fromEntries(options.map((option) => [option.value, option.label])))
  switch (kind) {
    case 'number':
    case 'money':
      return sql`case when jsonb_typeof(${value}) = 'number' then (${text})::numeric end`
    case 'date':
      return sql`case when (${text}) ~ '^\\d{4}-\\d\\d-\\d\\d$' then (${text})::date end`
    case 'boolean':
      return sql`case ${text} when 'true' then 'Yes' when 'false' then 'No' end`
    case 'choice':
      return sql`coalesce(${labels}::jsonb ->> (${text}), ${text})`
    case 'multiChoice':
      return sql`(select string_agg(coalesce(${labels}::jsonb ->> o, o), ', ' order by p) from jsonb_array_elements_text(case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end) with ordinality x(o, p))`
    case 'photo':
    case 'file':
      return sql`(select string_agg(f ->> 'name', ', ' order by p) from jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end) with ordinality x(f, p))`
    case 'signature':
      return sql`case jsonb_typeof(${value}) when 'string' then 'Signed as ' || (${text}) when 'array' then 'Signed by hand' end`
    default:
      return text
  }
}

import { formSubjects, type FormSubject } from '@outpost/contract/web-forms/form'
import { sql } from '@outpost/platform/db/sql'
import { may } from '../../kernel/area.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { batched } from '../../kernel/resource/read/batched.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'
import { listedAt } from '../../kernel/screens/tiles.ts'
import { prepareForm } from './form.rules.ts'

const subjectLabels: Record<FormSubject, string> = { nothing: 'Nothing else', lead: 'A lead', client: 'A client', activity: 'An activity' }
export const subjectOptions = formSubjects.map((value) => ({ value, label: subjectLabels[value] }))

/** Rows of web_form_answer x that count: those of the form t in the caller's reach. */
const answers = { from: 'web_form_answer x', alias: 'x', key: 'formId' }
const isAsPublished = `exists (select from web_form_version v where v."companyId" = t."companyId" and v."formId" = t."id" and v."number" = t."versionNumber"
  and v."name" = t."name" and v."about" = t."about" and v."description" is not distinct from t."description" and v."pages" = t."pages")`

/** A form that the company makes itself. Its pages are a draft; what people fill in is the version that was published last. */
export const webForm = defineResource({
  model: 'webForm',
  one: 'webForm',
  many: 'webForms',
  label: 'Web form',
  labelMany: 'Web forms',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  workflow: {
    field: 'status',
    route: 'webForms.move',
    states: {
      Draft: { meaning: 'open', colour: 'blue' },
      Published: { meaning: 'started', colour: 'green' },
      Archived: { meaning: 'done', colour: 'default' },
    },
    moves: [
      { name: 'publish', label: 'Publish', from: ['Draft', 'Archived'], to: 'Published', madeBy: 'program' },
      { name: 'archive', label: 'Archive', from: ['Published'], to: 'Archived', access: may('ADMIN/WEBFORMS/EDIT'), danger: true },
    ],
  },
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    description: { kind: 'longText', label: 'Description', maxLength: 1_000, help: 'People read it before they fill the form in' },
    about: { kind: 'choice', label: 'Filled in about', defaultValue: 'nothing', options: subjectOptions },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    versionNumber: { kind: 'number', label: 'Version in force', readOnly: true },
    hasChanges: { kind: 'boolean', label: 'Not published yet', readOnly: true, sql: `(t."status" <> 'Published' or not ${isAsPublished})` },
    answerCount: {
      kind: 'number',
      label: 'Filled in',
      readOnly: true,
      opens: listedAt('/forms/answers', { formId: ':Id' }),
      ...batched(answers, 'count(*) filter (where x."deletedAt" is null)::int', '0'),
    },
    pages: { kind: 'json', label: 'Pages', isTechnical: true, detailOnly: true, defaultValue: [] },
    publishedAt: { kind: 'dateTime', label: 'Published', readOnly: true },
    publishedByUserId: { kind: 'reference', label: 'Published by', to: 'user', readOnly: true, isCompanyWide: true },
    createdByUserId: { kind: 'reference', label: 'Made by', to: 'user', readOnly: true, isCompanyWide: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'status', 'versionNumber', 'hasChanges', 'about', 'answerCount', 'publishedAt', 'dateModified'],
    search: ['name', 'description'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['status', 'about', 'hasChanges', 'dateCreated'],
    empty: { title: 'No web forms yet', body: 'Make the first one: what people ask in the field, on pages of your own.' },
  },
  form: [['name', 'about'], ['description']],
  actions: [
    { route: 'webForms.publish', label: 'Publish', scope: 'row', isVersioned: true, visibleIf: { eq: ['hasChanges', true] } },
    { route: 'webForms.duplicate', label: 'Duplicate', scope: 'row' },
    bulkDeleteAction('webForms.remove', { title: 'Delete the chosen forms?' }, 'webForms.restore'),
  ],
  held: {
    find: ({ company }, ids) =>
      sql`select "formId" as id from web_form_answer where "companyId" = ${company.id}::uuid and "formId" = any(${ids}::uuid[])`,
    message: 'It was filled in: archive it instead, and what was answered stays readable.',
  },
  prepare: prepareForm,
})

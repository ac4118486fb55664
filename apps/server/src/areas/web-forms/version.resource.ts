import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { subjectOptions } from './form.resource.ts'

/** True of the version of a published form that people fill in now. */
const inForce = `exists (select from web_form f where f."companyId" = t."companyId" and f."id" = t."formId" and f."versionNumber" = t."number" and f."status" = 'Published' and f."deletedAt" is null)`

/** The versions that people fill in now, for a list call. */
export const isInForce =
  () => sql`t."id" in (select v."id" from web_form f join web_form_version v on v."companyId" = f."companyId" and v."formId" = f."id" and v."number" = f."versionNumber"
  where f."companyId" = t."companyId" and f."status" = 'Published' and f."deletedAt" is null)`

/** A form as it was published; devices keep those in force, so that they are filled in without a connection. */
export const webFormVersion = defineResource({
  model: 'webFormVersion',
  one: 'webFormVersion',
  many: 'webFormVersions',
  label: 'Form',
  labelMany: 'Forms',
  title: 'title',
  writtenBy: 'company',
  offline: 'list',
  fields: {
    title: { kind: 'text', label: 'Version', readOnly: true, sql: `t."name" || ' v' || t."number"` },
    name: { kind: 'text', label: 'Form', readOnly: true },
    description: { kind: 'longText', label: 'Description', readOnly: true },
    about: { kind: 'choice', label: 'Filled in about', readOnly: true, options: subjectOptions },
    formId: { kind: 'text', label: 'Form (id)', readOnly: true, isTechnical: true },
    number: { kind: 'number', label: 'Number', readOnly: true },
    isInForce: { kind: 'boolean', label: 'In force', readOnly: true, sql: inForce },
    pages: { kind: 'json', label: 'Pages', readOnly: true, isTechnical: true },
    publishedAt: { kind: 'dateTime', label: 'Published', readOnly: true },
    publishedByUserId: { kind: 'reference', label: 'Published by', to: 'user', readOnly: true, isCompanyWide: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
  },
  list: {
    columns: ['name', 'description', 'about', 'number', 'publishedAt'],
    search: ['name', 'description'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['about', 'publishedAt'],
    presentation: 'cards',
    empty: { title: 'No forms to fill in', body: 'Forms that your office publishes are shown here.' },
  },
})

import type { Access } from '@outpost/contract/permissions'
import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput, idSchema } from '../../kernel/resource/schema.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { customOf, detailOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { sql } from '@outpost/platform/db/sql'
import { attachFiles, attachInput, fillForm } from './answer.files.ts'
import { webFormAnswer } from './answer.resource.ts'
import { answersReport } from './answers.report.ts'
import { answered, answeredAnswer, duplicateForm, publishForm, publishInput } from './form.handlers.ts'
import { webForm } from './form.resource.ts'
import { isInForce, webFormVersion } from './version.resource.ts'

const own = { own: true }
const [see, add, edit, drop] = [may('ADMIN/WEBFORMS'), may('ADMIN/WEBFORMS/CREATE'), may('ADMIN/WEBFORMS/EDIT'), may('ADMIN/WEBFORMS/DELETE')]
/** Whoever works with leads, clients or activities fills forms in. */
const fill: Access = may('SALES/LEADS', 'CLIENTS', 'SALES/ACTIVITIES/ACTIVITIES')
const read: Access = may('SALES/LEADS', 'CLIENTS', 'SALES/ACTIVITIES/ACTIVITIES', 'ADMIN/WEBFORMS')
const path = '/api/web-forms'

const versionFields = {
  title: { kind: 'text', label: 'Version' },
  isInForce: { kind: 'boolean', label: 'In force' },
  publishedAt: { kind: 'dateTime', label: 'Published' },
  publishedByUserId: { kind: 'reference', label: 'Published by', to: 'user' },
} as const
const answeredFields = { page: { kind: 'text', label: 'Page' }, question: { kind: 'text', label: 'Question' }, answer: { kind: 'longText', label: 'Answer' }, picture: { kind: 'image', label: 'Picture' }, file: { kind: 'file', label: 'File' } } as const

/** Web forms: their builder, their versions, and what was filled in. The specification names three screens and no calls. */
export const webFormsArea = defineArea({
  name: 'webForms',
  resources: [webForm, webFormVersion, webFormAnswer],
  reports: [answersReport],
  timeline: [{ on: 'client', resource: webFormAnswer, anyOf: ['SALES/LEADS', 'CLIENTS', 'SALES/ACTIVITIES/ACTIVITIES', 'ADMIN/WEBFORMS'], where: 't."clientId" in (select id from ids)', at: 't."filledAt"', who: 't."createdByUserId"', what: `'Form filled in: ' || t."name"`, detail: 'left(t."summary", 300)' }],
  palette: [{ resource: webForm, anyOf: ['ADMIN/WEBFORMS'], subtitle: `t."status"`, open: '/admin/web-form/view/', isSmall: true, order: 90 }],
  routes: [
    route('webForms.list', 'GET', path, see, list(webForm), own),
    route('webForms.versions', 'GET', `${path}/versions`, read, list(webFormVersion), own),
    route('webForms.toFill', 'GET', `${path}/to-fill`, read, list(webFormVersion, { where: isInForce }), { own: true, summary: 'The forms that are filled in now: the version in force of each' }),
    route('webForms.getVersion', 'GET', `${path}/versions/:id`, read, get(webFormVersion), own),
    route('webForms.answers', 'GET', `${path}/answers`, read, list(webFormAnswer), own),
    route('webForms.getAnswer', 'GET', `${path}/answers/:id`, read, get(webFormAnswer), own),
    route('webForms.answerTimeline', 'GET', `${path}/answers/:id/timeline`, read, history(webFormAnswer), own),
    route('webForms.answered', 'GET', `${path}/answers/:id/questions`, read, query(idInput, answered, answeredAnswer), { own: true, summary: 'What was answered, in words, question by question' }),
    route('webForms.fill', 'POST', `${path}/answers`, fill, { ...create(webFormAnswer), run: fillForm }, own),
    route('webForms.attach', 'POST', `${path}/answers/:id/files`, fill, command(attachInput, attachFiles, recordAnswer(webFormAnswer)), { own: true, summary: 'Ties files that were uploaded to the filled form that names them' }),
    route('webForms.removeAnswers', 'POST', `${path}/answers/delete`, drop, remove(webFormAnswer), own),
    route('webForms.restoreAnswers', 'POST', `${path}/answers/restore`, drop, restore(webFormAnswer), own),
    route('webForms.get', 'GET', `${path}/:id`, see, get(webForm), own),
    route('webForms.timeline', 'GET', `${path}/:id/timeline`, see, history(webForm), own),
    route('webForms.versionsOf', 'GET', `${path}/:id/versions`, see, list(webFormVersion, { extra: { id: idSchema }, where: (_, { id }) => sql`t."formId" = ${id}::uuid` }), own),
    route('webForms.create', 'POST', path, add, create(webForm), own),
    route('webForms.duplicate', 'POST', `${path}/:id/duplicate`, add, command(idInput, duplicateForm, recordAnswer(webForm)), { own: true, summary: 'Makes a draft that asks the same' }),
    route('webForms.publish', 'POST', `${path}/:id/publish`, edit, command(publishInput, publishForm, recordAnswer(webForm)), { own: true, summary: 'Makes the draft the next version, which is filled in from now on' }),
    route('webForms.move', 'POST', `${path}/:id/move`, edit, move(webForm), { own: true, summary: 'Archives a form' }),
    route('webForms.remove', 'POST', `${path}/delete`, drop, remove(webForm), own),
    route('webForms.restore', 'POST', `${path}/restore`, drop, restore(webForm), own),
    route('webForms.update', 'PUT', `${path}/:id`, edit, update(webForm), own),
  ],
  panels: [
    on('webForm', by(webFormAnswer, 'formId')),
    on('lead', by(webFormAnswer, 'leadId')),
    on('client', by(webFormAnswer, 'clientId')),
    on('activity', by(webFormAnswer, 'activityId')),
  ],
  screens: [
    screen('/admin/web-form/list', see, listOf(webForm, { overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'Web forms', icon: 'file', order: 50 } }),
    screen('/admin/web-form/create', add, customOf(webForm, 'create', 'form-builder', 'New web form')),
    screen('/admin/web-form/edit/:id', edit, customOf(webForm, 'edit', 'form-builder', 'Edit web form')),
    screen('/admin/web-form/view/:id', see, detailOf(webForm, {
      panels: [{ key: 'versions', title: 'Versions', route: 'webForms.versionsOf', value: 'webFormVersions', fields: versionFields, empty: { title: 'Not published yet' } }],
      overrides: { sections: [{ rows: [['name', 'status'], ['versionNumber', 'hasChanges'], ['about', 'answerCount'], ['publishedAt', 'publishedByUserId'], ['createdByUserId', 'dateCreated'], ['description']] }] },
    })),
    screen('/forms', fill, listOf(webFormVersion, { source: 'webForms.toFill', overrides: { title: 'Forms' } }), { menu: { under: 'sales', label: 'Forms', icon: 'file', order: 12 } }),
    screen('/forms/fill', fill, customOf(webFormAnswer, 'create', 'form-fill', 'Fill in a form'), { offline: true }),
    screen('/forms/fill/:id', fill, customOf(webFormVersion, 'view', 'form-fill', 'Fill in a form'), { offline: true }),
    screen('/forms/answers', read, listOf(webFormAnswer, { source: 'webForms.answers', overrides: { exportReport: 'exportList' } }), { menu: { under: 'sales', label: 'Filled forms', icon: 'check', order: 13 } }),
    screen('/forms/answers/view/:id', read, detailOf(webFormAnswer, {
      panels: [{ key: 'questions', title: 'Answers', route: 'webForms.answered', value: 'answers', fields: answeredFields, empty: { title: 'Nothing was answered' } }],
      overrides: { sections: [{ rows: [['name', 'formVersionId'], ['leadId', 'clientId', 'activityId'], ['filledAt', 'createdByUserId'], ['tenantId', 'dateCreated'], ['summary']] }] },
    })),
  ],
})

import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import { z } from 'zod'
import { defineArea, may, open, route } from '../../kernel/area.ts'
import { consentSettings } from './consent/consent.settings.ts'
import { assigneesAnswer, idsInput, manyInput, verdictsAnswer } from '../../kernel/assigning.ts'
import { recordAnswer, removedAnswer } from '../../kernel/resource/answers.ts'
import { dayOrTime } from '../../kernel/days.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../kernel/keeps/files.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, noInput, publicCommand, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput, idSchema, listSchema } from '../../kernel/resource/schema.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { custom, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { creditOfClient } from './clients/client.timeline.ts'
import { clientConsents, clientConsentsAnswer, clientPanels } from './clients/client.panels.ts'
import { existAnswer, existInput, personExists } from '../clients/index.ts'
import * as answers from './lead.answers.ts'
import { assignByRule, assignByRuleJob, byRuleInput } from './assigning/assignment.ts'
import { assignmentRule } from './assigning/assignment-rule.resource.ts'
import { assessClient, clientAssessedAnswer, clientRuns, clientRunsAnswer } from './credit/client.assess.ts'
import { affordabilityRun } from './credit/affordability-run.resource.ts'
import { assessInput, assessLead, assessmentSteps, expireAssessmentJob, leadAssessments } from './credit/lead.affordability.ts'
import * as assigning from './assigning/lead.assign-many.ts'
import { boardSummary } from './lead.board.ts'
import * as consentPage from './consent/lead.consent-page.ts'
import { consentInput, requestConsent } from './consent/lead.consent.ts'
import { expireConsentJob, sendConsentJob } from './consent/lead.consent-job.ts'
import { leadConsents, withdrawConsent, withdrawInput } from './consent/lead.consent-panel.ts'
import { confirmContact, confirmInput } from './consent/lead.contact.ts'
import { livingClient } from './clients/living-client.ts'
import { convert } from './lead.convert.ts'
import { creditPermission } from './credit/lead.decision.ts'
import { leadDuplicates } from './merging/lead.duplicates.ts'
import { duplicatesAnswer, mergesAnswer } from '../clients/index.ts'
import { duplicateLead, leadNotFound } from './lead.errors.ts'
import { leadFigures } from './lead.figures.ts'
import { leadForm } from './lead.form.ts'
import * as handle from './lead.handlers.ts'
import { leadHistory } from './lead.history.ts'
import * as logs from './lead.logs.ts'
import * as merging from './merging/lead.merge.ts'
import { leadMetrics } from './lead.metrics.ts'
import { leadNews } from './lead.news.ts'
import { generateLeadPdf, pdfInput } from './lead.pdf.ts'
import { lead } from './lead.resource.ts'
import { timeInState } from '../../kernel/reports/time-in-state.ts'
import { assessmentDetail, leadDashboard, leadDetail, leadLayouts } from './lead.views.ts'
import { undoStatus } from './lead.undo-status.ts'
import * as onboarding from './onboarding.ts'
import { leadTiles, leadWidgets } from './lead.tiles.ts'

const window = z.object({ startDate: dayOrTime.optional(), endDate: dayOrTime.optional() })
const draftPath = '/api/leads/onboarding-drafts'
const rulesPath = '/api/leads/assignment-rules'
const runsPath = '/api/leads/affordability-runs'
const mayDistribute = may('SALES/TEAMS/EDIT', 'ADMIN/SETTINGS')
const own = { own: true } as const
const byToken = { own: true, limit: 20 }

interface LeadsOptions { mail: Mail, env: { SMS_MAIL_DOMAIN?: string | undefined } }

/** Leads: captured on- and offline, each person once a company, led to consent, assessment and onboarding. */
export const leadsArea = ({ mail, env }: LeadsOptions) => defineArea({
  name: 'leads',
  tiles: leadTiles,
  widgets: leadWidgets,
  settings: [...Object.values(consentSettings), onboarding.mostDrafts],
  metrics: leadMetrics,
  counted: [{ resource: lead, anyOf: ['SALES/LEADS'], screens: ['/sales/leads/:id/view'] }],
  palette: [{ resource: lead, anyOf: ['SALES/LEADS'], subtitle: `concat_ws(' · ', t."phonenumber", t."status")`, open: '/sales/leads/', tail: '/view', branch: 'tenantId', isPerson: true, order: 10 }],
  notifications: [leadNews],
  reports: [timeInState(lead, { anyOf: 'SALES/LEADS', screen: '/sales/leads', officer: 'assignedUserId', branch: 'tenantId', left: 'leftStatus', menu: { label: 'Time in status', icon: 'history', order: 3 } })],
  errors: [duplicateLead, leadNotFound],
  menu: [{ key: 'sales', label: 'Sales', icon: 'rise', order: 30 }],
  resources: [lead, assignmentRule, affordabilityRun],
  routes: [
    route('leads.list', 'GET', '/api/leads', may('SALES/LEADS'), list(lead)),
    route('leads.byTenant', 'GET', '/api/leads/tenant/getbyid', may('SALES/LEADS'), list(lead, { dateType: 'created', size: 1_000 })),
    route('leads.figures', 'GET', '/api/leads/figures', may('SALES/LEADS'), query(window, leadFigures, answers.figuresAnswer), { own: true, summary: 'Figures of the leads dashboard' }),
    route('leads.board', 'GET', '/api/leads/board-summary', may('SALES/LEADS'), query(listSchema({}), boardSummary, answers.boardAnswer), { own: true, summary: 'Number and sums of leads a status, under the filters of the list' }),
    route('leads.rules', 'GET', rulesPath, mayDistribute, list(assignmentRule), own),
    route('leads.rule', 'GET', `${rulesPath}/:id`, mayDistribute, get(assignmentRule), own),
    route('leads.createRule', 'POST', rulesPath, mayDistribute, create(assignmentRule), own),
    route('leads.updateRule', 'PUT', `${rulesPath}/:id`, mayDistribute, update(assignmentRule), own),
    route('leads.removeRule', 'POST', `${rulesPath}/delete`, mayDistribute, remove(assignmentRule), own),
    route('leads.runs', 'GET', runsPath, may('SALES/LEADS'), list(affordabilityRun), own),
    route('leads.run', 'GET', `${runsPath}/:id`, may('SALES/LEADS', 'CLIENTS'), get(affordabilityRun), own),
    route('leads.runSteps', 'GET', `${runsPath}/:id/steps`, may('SALES/LEADS', 'CLIENTS'), query(idInput, assessmentSteps, answers.stepsAnswer), own),
    route('leads.drafts', 'GET', draftPath, may('SALES/LEADS/CREATE'), query(noInput, onboarding.listDrafts, answers.draftsAnswer), { own: true }),
    route('leads.createDraft', 'POST', draftPath, may('SALES/LEADS/CREATE'), command(onboarding.draftInput, onboarding.saveDraft, answers.draftAnswer), { own: true }),
    route('leads.saveDraft', 'PUT', `${draftPath}/:id`, may('SALES/LEADS/CREATE'), command(onboarding.draftInput, onboarding.saveDraft, answers.draftAnswer), { own: true }),
    route('leads.removeDraft', 'DELETE', `${draftPath}/:id`, may('SALES/LEADS/CREATE'), command(idInput, onboarding.deleteDraft, removedAnswer), { own: true }),
    route('leads.get', 'GET', '/api/leads/:id', may('SALES/LEADS'), get(lead)),
    route('leads.timeline', 'GET', '/api/leads/:id/timeline', may('SALES/LEADS'), history(lead, leadHistory), { own: true }),
    route('leads.statusLog', 'GET', '/api/leads/:id/status-log', may('SALES/LEADS'), query(idInput, logs.leadStatusLog, answers.statusLogAnswer), own),
    route('leads.assignments', 'GET', '/api/leads/:id/assignments', may('SALES/LEADS'), query(idInput, logs.leadAssignments, answers.assignmentsAnswer), own),
    route('leads.consents', 'GET', '/api/leads/:id/consents', may('SALES/LEADS'), query(idInput, leadConsents, answers.consentsAnswer), own),
    route('leads.clientConsents', 'GET', '/api/clients/:id/consents', may('CLIENTS'), query(idInput, clientConsents, clientConsentsAnswer), own),
    route('leads.assessClient', 'POST', '/api/clients/:id/affordability', may('CLIENTS/EDIT'), command(assessInput, assessClient, clientAssessedAnswer), { own: true, summary: 'Keeps an assessment of a client; the sum is made anew on the server' }),
    route('leads.clientRuns', 'GET', '/api/clients/:id/affordability-runs', may('CLIENTS'), query(idInput, clientRuns, clientRunsAnswer), own),
    route('leads.withdrawConsent', 'POST', '/api/leads/:id/withdraw-consent', may('SALES/LEADS/EDIT'), command(withdrawInput, withdrawConsent, recordAnswer(lead)), own),
    route('leads.confirmContact', 'POST', '/api/leads/:id/confirm-contact', may('SALES/LEADS/EDIT'), command(confirmInput, confirmContact, recordAnswer(lead)), { own: true, summary: 'Confirms changed phone and e-mail by the word of a second person' }),
    route('leads.assess', 'POST', '/api/leads/:id/affordability', may('SALES/LEADS/EDIT'), command(assessInput, assessLead, answers.assessedAnswer), { own: true, summary: 'Keeps an assessment; the sum is made anew on the server' }),
    route('leads.assessments', 'GET', '/api/leads/:id/affordability-runs', may('SALES/LEADS'), query(idInput, leadAssessments, answers.assessmentsAnswer), own),
    route('leads.approveReferral', 'POST', '/api/leads/:id/approve-referral', may(creditPermission), move(lead, { move: 'approveReferral', message: () => 'The referral is approved.' }), own),
    route('leads.duplicates', 'GET', '/api/leads/:id/duplicates', may('SALES/LEADS'), query(idInput, leadDuplicates, duplicatesAnswer), own),
    route('leads.merges', 'GET', '/api/leads/:id/merges', may('SALES/LEADS'), query(idInput, merging.leadMerges, mergesAnswer), own),
    route('leads.merge', 'POST', '/api/leads/merge', may('SALES/LEADS/DELETE'), command(merging.mergeInput, merging.mergeLeads, answers.mergedAnswer), own),
    route('leads.undoMerge', 'POST', '/api/leads/merges/:id/undo', may('SALES/LEADS/DELETE'), command(idInput, merging.undoMerge, answers.undoneMergeAnswer), own),
    route('leads.convert', 'POST', '/api/leads/:id/convert', may('CLIENTS/CREATE'), command(idInput, convert, answers.convertedAnswer), own),
    route('leads.create', 'POST', '/api/leads', may('SALES/LEADS/CREATE'), create(lead)),
    route('leads.update', 'PUT', '/api/leads/:id', may('SALES/LEADS/EDIT'), update(lead)),
    route('leads.setStatus', 'PUT', '/api/leads/status/:id', may('SALES/LEADS/EDIT'), command(handle.statusInput, handle.setLeadStatus, handle.statusAnswer)),
    route('leads.undoStatus', 'POST', '/api/leads/:id/undo-status', may('SALES/LEADS/EDIT'), command(idInput, undoStatus, recordAnswer(lead)), { own: true, summary: 'Takes back the own last move of a lead' }),
    route('leads.remove', 'POST', '/api/leads/delete', may('SALES/LEADS/DELETE'), remove(lead)),
    route('leads.comment', 'POST', '/api/leads/:id/comments', may('SALES/LEADS'), comment(lead, { open: '/sales/leads/:id/view' }), own),
    ...fileRoutes(lead, { area: 'leads', path: '/api/leads', read: may('SALES/LEADS'), write: may('SALES/LEADS/EDIT') }),
    route('leads.restore', 'POST', '/api/leads/restore', may('SALES/LEADS/DELETE'), restore(lead), { own: true }),
    route('leads.search', 'POST', '/api/leads/search', may('SALES/LEADS'), query(handle.searchInput, handle.searchLeads, answers.leadsAnswer)),
    route('leads.exist', 'POST', '/api/leads/exist', may('SALES/LEADS/CREATE', 'SALES/LEADS/EDIT'), query(existInput, (ctx, input) => personExists(ctx, { resource: lead, other: livingClient }, input), existAnswer), { own: true }),
    route('leads.assign', 'POST', '/api/leads/assignlead', may('SALES/LEADS/EDIT'), command(handle.assignInput, handle.assignLeads, answers.assignedAnswer)),
    route('leads.assignees', 'POST', '/api/leads/assignees', may('SALES/LEADS/EDIT'), query(idsInput, assigning.leadAssignees, assigneesAnswer), { own: true, summary: 'Who may be given leads, with the open ones each has' }),
    route('leads.assignMany', 'POST', '/api/leads/assign-many', may('SALES/LEADS/EDIT'), command(manyInput, assigning.assignMany, verdictsAnswer), { own: true, summary: 'Gives each lead to its agent, with a verdict on each' }),
    route('leads.undoAssignments', 'POST', '/api/leads/undo-assignments', may('SALES/LEADS/EDIT'), command(idsInput, assigning.undoAssignments, verdictsAnswer), { own: true, summary: 'Takes back leads the caller has just given away' }),
    route('leads.assignByRule', 'POST', '/api/leads/assign-by-rule', may('SALES/LEADS/EDIT'), command(byRuleInput, assignByRule, answers.byRuleAnswer), own),
    route('leads.assignedTo', 'GET', '/api/leads/assignedto/:id', may('SALES/LEADS'), list(lead, { extra: { id: idSchema }, where: (_, { id }) => sql`t."assignedUserId" = ${id}` })),
    route('leads.addresses', 'GET', '/api/leads/addresses-by-lead/:id', may('SALES/LEADS'), query(idInput, handle.leadAddresses, answers.addressesAnswer)),
    route('leads.resendConsent', 'POST', '/api/leads/resend-consent-request', may('SALES/LEADS/EDIT'), command(consentInput, (ctx, input) => requestConsent(ctx, input, env.SMS_MAIL_DOMAIN), answers.consentRequestedAnswer)),
    route('leads.generatePdf', 'POST', '/api/leads/generate-pdf', may('SALES/LEADS'), query(pdfInput, generateLeadPdf), { sends: 'application/pdf' }),
    route('leads.onboard', 'POST', '/api/onbording/first-page', may('SALES/LEADS/CREATE'), command(onboarding.firstPageInput, (ctx, input) => onboarding.onboardFirstPage(ctx, input, env.SMS_MAIL_DOMAIN), recordAnswer(lead))),
    route('leads.onboardAlias', 'POST', '/api/onboarding/first-page', may('SALES/LEADS/CREATE'), command(onboarding.firstPageInput, (ctx, input) => onboarding.onboardFirstPage(ctx, input, env.SMS_MAIL_DOMAIN), recordAnswer(lead)), { own: true, summary: 'The same call, spelled right' }),
    route('leads.showConsent', 'GET', '/api/consent/:token', open('the client who holds the link is asked for consent'), publicCommand(consentPage.linkInput, consentPage.showConsent, consentPage.askedAnswer), byToken),
    route('leads.answerConsent', 'POST', '/api/consent/:token', open('the client who holds the link answers once'), publicCommand(consentPage.answerInput, consentPage.answerConsent, consentPage.givenAnswer), byToken),
    ...consentPage.consentPage,
  ],
  panels: clientPanels,
  timeline: creditOfClient,
  screens: [
    screen('/sales/leads', may('SALES/LEADS'), listOf(lead, { source: 'leads.list', overrides: { exportReport: 'exportList', layouts: leadLayouts } }), { menu: { under: 'sales', label: 'Leads', icon: 'funnel', order: 4 } }),
    screen('/sales/leads/create', may('SALES/LEADS/CREATE'), formOf(lead, { overrides: leadForm }), { createOrder: 10 }),
    screen('/sales/leads/edit/:id', may('SALES/LEADS/EDIT'), formOf(lead, { overrides: leadForm })),
    screen('/sales/leads/digital-onboarding/wizard', may('SALES/LEADS/CREATE'), custom('onboarding-wizard', 'Digital onboarding')),
    screen('/sales/leads/digital-onboarding/:id/edit', may('SALES/LEADS/EDIT'), custom('onboarding-wizard', 'Digital onboarding')),
    screen('/sales/leads/:id/view', may('SALES/LEADS'), leadDetail),
    screen('/sales/leads/affordability/:id', may('SALES/LEADS', 'CLIENTS'), assessmentDetail),
    screen('/sales/leads/merge/:a/:b', may('SALES/LEADS/DELETE'), custom('lead-merge', 'Merge leads')),
    screen('/sales/leadsdashboard', may('SALES/LEADS'), leadDashboard, { menu: { under: 'sales', label: 'Leads dashboard', icon: 'bar-chart', order: 30 } }),
    screen('/admin/sales/assignment-rules', mayDistribute, listOf(assignmentRule), { menu: { under: 'administration', label: 'Assignment rules', icon: 'user-check', order: 40 } }),
    screen('/admin/sales/assignment-rules/create', mayDistribute, formOf(assignmentRule)),
    screen('/admin/sales/assignment-rules/edit/:id', mayDistribute, formOf(assignmentRule)),
  ],
  jobs: [sendConsentJob(mail, env.SMS_MAIL_DOMAIN), expireConsentJob, expireAssessmentJob, assignByRuleJob],
})

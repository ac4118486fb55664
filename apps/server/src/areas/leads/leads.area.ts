import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import { z } from 'zod'
import { defineArea, may, open, route } from '../../kernel/area.ts'
import { command, create, get, list, noInput, publicCommand, query, remove, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { custom, dashboard, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as consentPage from './lead.consent-page.ts'
import { consentInput, requestConsent, useSmsDomain } from './lead.consent.ts'
import { sendConsentJob } from './lead.consent-job.ts'
import * as handle from './lead.handlers.ts'
import { generateLeadPdf, pdfInput } from './lead.pdf.ts'
import { lead } from './lead.resource.ts'
import { leadFigures, leadTimeline } from './lead.timeline.ts'
import * as onboarding from './onboarding.ts'

const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], 'is not a date or time').optional()
const window = z.object({ startDate: dayOrTime, endDate: dayOrTime })
const draftPath = '/api/leads/onboarding-drafts'
const figures = { method: 'GET', path: '/api/leads/figures' } as const
const leadsWhere = (field: string, value: string) => `/sales/leads?filter=${JSON.stringify([{ field, op: 'eq', value }])}`
const byToken = { own: true, limit: 20 }

interface LeadsOptions { mail: Mail, env: { SMS_MAIL_DOMAIN?: string | undefined } }

function consentJob(mail: Mail, smsDomain: string | undefined) {
  useSmsDomain(smsDomain)
  return sendConsentJob(mail)
}

/** Leads: captured on- and offline, each person once a company, led to consent, assessment and onboarding. */
export const leadsArea = ({ mail, env }: LeadsOptions) => defineArea({
  name: 'leads',
  resources: [lead],
  routes: [
    route('leads.list', 'GET', '/api/leads', may('SALES/LEADS'), list(lead)),
    route('leads.byTenant', 'GET', '/api/leads/tenant/getbyid', may('SALES/LEADS'), list(lead, { dateType: 'created', size: 1_000 })),
    route('leads.figures', 'GET', '/api/leads/figures', may('SALES/LEADS'), query(window, leadFigures), { own: true, summary: 'Figures of the leads dashboard' }),
    route('leads.drafts', 'GET', draftPath, may('SALES/LEADS/CREATE'), query(noInput, onboarding.listDrafts), { own: true }),
    route('leads.createDraft', 'POST', draftPath, may('SALES/LEADS/CREATE'), command(onboarding.draftInput, onboarding.saveDraft), { own: true }),
    route('leads.saveDraft', 'PUT', `${draftPath}/:id`, may('SALES/LEADS/CREATE'), command(onboarding.draftInput, onboarding.saveDraft), { own: true }),
    route('leads.removeDraft', 'DELETE', `${draftPath}/:id`, may('SALES/LEADS/CREATE'), command(idInput, onboarding.deleteDraft), { own: true }),
    route('leads.get', 'GET', '/api/leads/:id', may('SALES/LEADS'), get(lead)),
    route('leads.timeline', 'GET', '/api/leads/:id/timeline', may('SALES/LEADS'), query(idInput, leadTimeline), { own: true }),
    route('leads.create', 'POST', '/api/leads', may('SALES/LEADS/CREATE'), create(lead)),
    route('leads.update', 'PUT', '/api/leads/:id', may('SALES/LEADS/EDIT'), update(lead)),
    route('leads.setStatus', 'PUT', '/api/leads/status/:id', may('SALES/LEADS/EDIT'), command(handle.statusInput, handle.setLeadStatus)),
    route('leads.remove', 'POST', '/api/leads/delete', may('SALES/LEADS/DELETE'), remove(lead)),
    route('leads.restore', 'POST', '/api/leads/restore', may('SALES/LEADS/DELETE'), command(handle.restoreInput, handle.restoreLeads), { own: true }),
    route('leads.search', 'POST', '/api/leads/search', may('SALES/LEADS'), query(handle.searchInput, handle.searchLeads)),
    route('leads.exist', 'POST', '/api/leads/exist', may('SALES/LEADS/CREATE', 'SALES/LEADS/EDIT'), query(handle.existInput, handle.leadExists), { own: true }),
    route('leads.assign', 'POST', '/api/leads/assignlead', may('SALES/LEADS/EDIT'), command(handle.assignInput, handle.assignLeads)),
    route('leads.assignedTo', 'GET', '/api/leads/assignedto/:id', may('SALES/LEADS'), list(lead, { extra: { id: z.uuid() }, where: (_, { id }) => sql`t."assignedUserId" = ${id}` })),
    route('leads.addresses', 'GET', '/api/leads/addresses-by-lead/:id', may('SALES/LEADS'), query(idInput, handle.leadAddresses)),
    route('leads.resendConsent', 'POST', '/api/leads/resend-consent-request', may('SALES/LEADS/EDIT'), command(consentInput, requestConsent)),
    route('leads.generatePdf', 'POST', '/api/leads/generate-pdf', may('SALES/LEADS'), query(pdfInput, generateLeadPdf)),
    route('leads.onboard', 'POST', '/api/onbording/first-page', may('SALES/LEADS/CREATE'), command(onboarding.firstPageInput, onboarding.onboardFirstPage)),
    route('leads.onboardAlias', 'POST', '/api/onboarding/first-page', may('SALES/LEADS/CREATE'), command(onboarding.firstPageInput, onboarding.onboardFirstPage), { own: true, summary: 'The same call, spelled right' }),
    route('leads.showConsent', 'GET', '/api/consent/:token', open('the client who holds the link is asked for consent'), publicCommand(consentPage.linkInput, consentPage.showConsent), byToken),
    route('leads.answerConsent', 'POST', '/api/consent/:token', open('the client who holds the link answers once'), publicCommand(consentPage.answerInput, consentPage.answerConsent), byToken),
  ],
  screens: [
    screen('/sales/leads', may('SALES/LEADS'), listOf(lead, { source: 'leads.list', over: { exportReport: 'exportList' } }), { offline: true }),
    screen('/sales/leads/create', may('SALES/LEADS/CREATE'), formOf(lead, {
      over: { offline: 'lead', check: { call: { method: 'POST', path: '/api/leads/exist' }, fields: ['phonenumber', 'emailAddress', 'idNumber'], message: 'A lead with this phone, e-mail or ID number exists already.' } },
    }), { offline: true }),
    screen('/sales/leads/edit/:id', may('SALES/LEADS/EDIT'), formOf(lead, { over: { offline: 'lead' } }), { offline: true }),
    screen('/sales/leads/digital-onboarding/wizard', may('SALES/LEADS/CREATE'), custom('onboarding-wizard', 'Digital onboarding')),
    screen('/sales/leads/digital-onboarding/:id/edit', may('SALES/LEADS/EDIT'), custom('onboarding-wizard', 'Digital onboarding')),
    screen('/sales/leadsdashboard', may('SALES/LEADS'), dashboard({
      title: 'Leads dashboard',
      widgets: [
        { id: 'total', title: 'Captured', draw: 'number', source: figures, value: 'total', open: '/sales/leads', span: 6 },
        { id: 'open', title: 'Open', draw: 'number', source: figures, value: 'open', open: '/sales/leads', span: 6 },
        { id: 'consented', title: 'With consent', draw: 'number', source: figures, value: 'consented', open: leadsWhere('consentStatus', 'GRANTED'), span: 6 },
        { id: 'converted', title: 'Converted', draw: 'number', source: figures, value: 'converted', open: leadsWhere('status', 'Converted'), span: 6 },
        { id: 'byStatus', title: 'By status', draw: 'donut', source: figures, value: 'byStatus', labelKey: 'label', valueKey: 'value', open: leadsWhere('status', ':label'), span: 12 },
        { id: 'byDay', title: 'Captured a day', draw: 'line', source: figures, value: 'byDay', labelKey: 'label', valueKey: 'value', span: 12 },
        { id: 'byAgent', title: 'By agent', draw: 'bars', source: figures, value: 'byAgent', labelKey: 'label', valueKey: 'value', span: 12 },
        { id: 'stages', title: 'Median days before each stage', draw: 'table', source: figures, value: 'stages', labelKey: 'label', valueKey: 'medianDays', span: 12 },
      ],
    })),
  ],
  jobs: [consentJob(mail, env.SMS_MAIL_DOMAIN)],
})

import { defineArea, may, route } from '../../kernel/area.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../kernel/keeps/files.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, query, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { timeInState } from '../../kernel/reports/time-in-state.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { PanelDefinition } from '../../kernel/types.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { clockJob } from './complaint.clock-job.ts'
import { complaintDashboard, complaintFigures, figuresAnswer, figuresInput } from './complaint.figures.ts'
import * as handle from './complaint.handlers.ts'
import { printLetter } from './complaint.letters.ts'
import * as messages from './complaint.messages.ts'
import { complaintMetrics } from './complaint.metrics.ts'
import { complaintNews } from './complaint.news.ts'
import { ways } from './complaint.options.ts'
import { complaintRegister } from './complaint.register.ts'
import { complaint } from './complaint.resource.ts'
import { complaintSettings } from './complaint.settings.ts'

const own = { own: true }
const [see, add, edit] = [may('CLIENTS'), may('CLIENTS/CREATE'), may('CLIENTS/EDIT')]
const path = '/api/complaints'

const told: PanelDefinition = {
  key: 'told',
  title: 'Told to the client',
  route: 'complaints.messages',
  value: 'messages',
  fields: {
    at: { kind: 'dateTime', label: 'At' },
    kind: { kind: 'choice', label: 'What', options: [{ value: 'reply', label: 'Reply' }, { value: 'acknowledgement', label: 'Acknowledgement' }, { value: 'status', label: 'Status letter' }] },
    way: { kind: 'choice', label: 'How', options: [...ways] },
    text: { kind: 'longText', label: 'Text' },
    sentTo: { kind: 'text', label: 'To' },
    state: { kind: 'choice', label: 'State', options: [{ value: 'Waiting', label: 'Waiting', colour: 'gold' }, { value: 'Sent', label: 'Sent', colour: 'green' }, { value: 'Failed', label: 'Failed', colour: 'red' }] },
    who: { kind: 'text', label: 'By' },
  },
  empty: { title: 'The client was told nothing yet', body: 'A reply stops the first clock.' },
}

/** Complaints: what clients are not content with, how soon they are answered, and how it ends. */
export const complaintsArea = defineArea({
  name: 'complaints',
  resources: [complaint],
  settings: Object.values(complaintSettings),
  metrics: complaintMetrics,
  counted: [{ resource: complaint, anyOf: ['CLIENTS'], name: ['complaintNumber', 'subject'], screens: ['/complaint/view?id=:id'] }],
  notifications: [complaintNews],
  jobs: [clockJob.job, messages.formerMailJob],
  palette: [{ resource: complaint, anyOf: ['CLIENTS'], subtitle: `concat_ws(' · ', t."status", t."category")`, open: '/complaint/view?id=', branch: 'tenantId', order: 35 }],
  reports: [complaintRegister, timeInState(complaint, { anyOf: 'CRM/REPORTS', screen: '/complaints/', officer: 'ownerUserId', branch: 'tenantId', left: 'leftStatus', menu: { label: 'Time in complaint status', icon: 'history', order: 13 } })],
  timeline: [{ on: 'client', resource: complaint, anyOf: ['CLIENTS'], where: 't."clientId" in (select id from ids)', at: 't."receivedAt"', who: 't."createdByUserId"', what: `'Complaint K-' || lpad(t."number"::text, 5, '0')`, detail: 't."subject"' }],
  panels: [on('client', by(complaint, 'clientId')), on('loan', by(complaint, 'loanId'))],
  routes: [
    route('complaints.list', 'GET', path, see, list(complaint), own),
    route('complaints.figures', 'GET', `${path}/figures`, see, query(figuresInput, complaintFigures, figuresAnswer), { own: true, summary: 'Where complaints pile up, against the 90 days before' }),
    route('complaints.get', 'GET', `${path}/:id`, see, get(complaint), own),
    route('complaints.timeline', 'GET', `${path}/:id/timeline`, see, history(complaint, handle.complaintHistory), own),
    route('complaints.messages', 'GET', `${path}/:id/messages`, see, query(idInput, messages.messagesOf, messages.messagesAnswer), { own: true, summary: 'What the client was told' }),
    route('complaints.acknowledgement', 'GET', `${path}/:id/acknowledgement`, see, query(idInput, printLetter('acknowledgement')), { own: true, sends: 'application/pdf', summary: 'The acknowledgement as a PDF' }),
    route('complaints.statusLetter', 'GET', `${path}/:id/status-letter`, see, query(idInput, printLetter('status')), { own: true, sends: 'application/pdf', summary: 'The letter of the third week as a PDF' }),
    route('complaints.create', 'POST', path, add, { ...create(complaint), run: handle.takeComplaint }, own),
    route('complaints.comment', 'POST', `${path}/:id/comments`, see, comment(complaint, { open: '/complaint/view?id=:id' }), own),
    route('complaints.reply', 'POST', `${path}/:id/replies`, edit, command(messages.replyInput, messages.replyToClient, messages.messageAnswer), { own: true, summary: 'Writes down, or mails, a reply to the client' }),
    route('complaints.sendLetter', 'POST', `${path}/:id/letters`, edit, command(messages.letterInput, messages.sendLetter, messages.messageAnswer), { own: true, summary: 'Mails a letter, or writes down that it went by post' }),
    route('complaints.move', 'POST', `${path}/:id/move`, edit, move(complaint), own),
    ...fileRoutes(complaint, { area: 'complaints', path, read: see, write: edit }),
    route('complaints.update', 'PUT', `${path}/:id`, edit, { ...update(complaint), run: handle.changeComplaint }, own),
  ],
  screens: [
    screen('/complaints/', see, listOf(complaint, { source: 'complaints.list', overrides: { exportReport: 'exportList', layouts: [boardOf(complaint, { lines: ['complaintNumber', 'ownerUserId', 'resolutionDueAt'], badge: 'severity' })] } }), { menu: { under: 'clients', label: 'Complaints', icon: 'comment', order: 40 } }),
    screen('/complaints/dashboard', see, complaintDashboard, { menu: { under: 'clients', label: 'Complaints dashboard', icon: 'bar-chart', order: 41 } }),
    screen('/complaint/create', add, formOf(complaint)),
    screen('/complaint/edit/', edit, formOf(complaint), { takesId: true }),
    screen('/complaint/view', see, detailOf(complaint, {
      panels: [told],
      overrides: {
        sections: [
          { rows: [['complaintNumber', 'subject'], ['status', 'severity'], ['channel', 'category'], ['clientId', 'loanId', 'product'], ['complainantName', 'complainantPhone', 'complainantEmail'], ['accusedUserId', 'ownerUserId'], ['tenantId', 'statusReason'], ['description']] },
          { title: 'Clocks', rows: [['receivedAt', 'createdByUserId'], ['firstResponseDueAt', 'firstResponseAt'], ['resolutionDueAt', 'resolvedAt'], ['regulatorDueAt', 'closedAt']] },
          { title: 'Outcome', rows: [['outcome', 'rootCause', 'redressAmount'], ['resolution']] },
        ],
      },
    }), { takesId: true }),
  ],
})

import { defineArea, may, route } from '../../kernel/area.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, remove, restore, update } from '../../kernel/resource/operations.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { contact, contactInput, messageInput, sendMessage, visit, visitAnswer, visitInput } from './collection.handlers.ts'
import { collection } from './collection.resource.ts'
import { loanContact } from './contact.resource.ts'
import { dunningStep } from './dunning.resource.ts'
import { rollRatesReport } from './roll-rates.report.ts'

const [see, work, keep] = [may('CLIENTS', 'LOAN/DISBURSEMENTS'), may('CLIENTS/EDIT'), may('ADMIN/SETTINGS')]
const own = { own: true }

/** Collections: the worklist of late loans, what is done about them, the steps by product, and how arrears roll. */
export const collectionsArea = defineArea({
  name: 'collections',
  resources: [collection, loanContact, dunningStep],
  reports: [rollRatesReport],
  routes: [
    route('collections.list', 'GET', '/api/collections', see, list(collection), own),
    route('collections.contact', 'POST', '/api/collections/:id/contact', work, command(contactInput, contact, recordAnswer(loanContact)), { own: true, summary: 'Notes what was done about a late loan' }),
    route('collections.message', 'POST', '/api/collections/:id/message', work, command(messageInput, sendMessage, recordAnswer(loanContact)), { own: true, limit: 60, summary: 'Sends the client of a late loan a message and notes it' }),
    route('collections.visit', 'POST', '/api/collections/:id/visit', may('SALES/ACTIVITIES/ACTIVITIES/CREATE'), command(visitInput, visit, visitAnswer), { own: true, summary: 'Plans a visit to the client of a late loan' }),
    route('loanContacts.list', 'GET', '/api/loan-contacts', see, list(loanContact), own),

    route('dunning.list', 'GET', '/api/dunning-steps', see, list(dunningStep), own),
    route('dunning.get', 'GET', '/api/dunning-steps/:id', see, get(dunningStep), own),
    route('dunning.create', 'POST', '/api/dunning-steps', keep, create(dunningStep), own),
    route('dunning.remove', 'POST', '/api/dunning-steps/delete', keep, remove(dunningStep), own),
    route('dunning.restore', 'POST', '/api/dunning-steps/restore', keep, restore(dunningStep), own),
    route('dunning.update', 'PUT', '/api/dunning-steps/:id', keep, update(dunningStep), own),
  ],
  timeline: [{ on: 'client', resource: loanContact, anyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'], where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 't."createdByUserId"', what: `concat('About arrears, ', t."action", ': ', t."outcome")`, detail: 't."note"' }],
  panels: [on('loan', by(loanContact, 'loanId', 'Contacts'))],
  screens: [
    screen('/sales/collections', see, listOf(collection, { source: 'collections.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'sales', label: 'Collections', icon: 'rise', order: 11 } }),
    screen('/loans/contacts', see, listOf(loanContact, { source: 'loanContacts.list' })),
    screen('/loans/dunning', keep, listOf(dunningStep, { source: 'dunning.list' }), { menu: { under: 'administration', label: 'Dunning steps', icon: 'warning', order: 34 } }),
    screen('/loans/dunning/add', keep, formOf(dunningStep)),
    screen('/loans/dunning/edit/:id', keep, formOf(dunningStep)),
  ],
})

import { defineArea, may, route } from '../../kernel/area.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../kernel/keeps/files.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer, rowsAnswer } from '../../kernel/resource/answers.ts'
import { command, get, list, noInput, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { custom, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { move, moveMany } from '../../kernel/workflow/operations.ts'
import { affordabilityAnswer, affordabilityInput, clientAffordability } from './client.affordability.ts'
import { duplicateClient } from './client.errors.ts'
import { clientExposure, exposureAnswer } from './client.exposure.ts'
import * as handle from './client.handlers.ts'
import { clientAddress, clientContact, clientDocument, clientIdentifier, clientKin } from './client.lines.ts'
import { clientMetrics } from './client.metrics.ts'
import { clientNews } from './client.news.ts'
import { papersJob } from './client.papers.job.ts'
import { client } from './client.resource.ts'
import { deregisterInput, deregisterUssd } from './client.ussd.ts'
import { importAnswer, importClients, portionLimits, readClientSheet, sheetAnswer, sheetLimits } from './import/import.ts'
import { clientImport } from './import/client.import-kind.ts'
import { importInput } from './import/portion.ts'
import { forgetImportJob, importJob } from '../../kernel/imports/import.job.ts'
import { importRoutes } from '../../kernel/imports/routes.ts'
import { openLead } from './other-person.ts'
import { existAnswer, existInput, personExists } from './person-exists.ts'
import { clientDetail, clientForm } from './client.views.ts'
import { clientTiles } from './client.tiles.ts'

const own = { own: true }
const edit = may('CLIENTS/EDIT')
const listActions = [...(client.actions ?? []), { key: 'import', open: '/clients/import', label: 'Import', scope: 'page' } as const, { key: 'merge', open: '/clients/merge/:a/:b', label: 'Merge', scope: 'bulk' } as const]

/** Clients: the people the company lends to, made from leads or captured here, each once a company. */
export const clientsArea = defineArea({
  name: 'clients',
  tiles: clientTiles,
  metrics: clientMetrics,
  counted: [{ resource: client, anyOf: ['CLIENTS'], screens: ['/clients/:id/view'] }],
  palette: [{ resource: client, anyOf: ['CLIENTS'], subtitle: `concat_ws(' · ', t."phonenumber", t."employer")`, open: '/clients/', tail: '/view', branch: 'tenantId', isPerson: true, order: 30 }],
  notifications: [clientNews],
  errors: [duplicateClient],
  menu: [{ key: 'clients', label: 'Clients', icon: 'team', order: 10 }],
  resources: [client, clientIdentifier, clientContact, clientAddress, clientKin, clientDocument],
  routes: [
    route('clients.list', 'GET', '/api/clients', may('CLIENTS'), list(client)),
    route('clients.affordability', 'GET', '/api/clients/affordability', may('CLIENTS'), query(affordabilityInput, clientAffordability, affordabilityAnswer)),
    route('clients.get', 'GET', '/api/clients/:id', may('CLIENTS'), get(client)),
    route('clients.timeline', 'GET', '/api/clients/:id/timeline', may('CLIENTS'), history(client, handle.clientHistory), own),
    route('clients.exposure', 'GET', '/api/clients/:id/exposure', may('CLIENTS'), query(idInput, clientExposure, exposureAnswer), { own: true, summary: 'Clients with the same phone, address, next of kin or guarantor' }),
    route('clients.byPhone', 'GET', '/api/clients/get-person-by-mobile-phone/:phone', may('CLIENTS'), query(handle.phoneInput, handle.clientByPhone, recordAnswer(client))),
    route('clients.search', 'POST', '/api/clients/search', may('CLIENTS'), query(handle.searchInput, handle.searchClients, rowsAnswer(client, client.many))),
    route('clients.exist', 'POST', '/api/clients/exist', may('CLIENTS/CREATE', 'CLIENTS/EDIT'), query(existInput, (ctx, input) => personExists(ctx, { resource: client, other: openLead }, input), existAnswer), own),
    route('clients.save', 'POST', '/api/clients', may('CLIENTS/CREATE', 'CLIENTS/EDIT'), handle.saveClient()),
    route('clients.readImport', 'POST', '/api/clients/import/read', may('CLIENTS/CREATE'), command(noInput, readClientSheet, sheetAnswer), { own: true, upload: sheetLimits, limit: 20, summary: 'Reads a CSV or XLSX file of clients and says what its columns may mean; writes nothing' }),
    route('clients.import', 'POST', '/api/clients/import', may('CLIENTS/CREATE'), command(importInput, importClients, importAnswer), { ...portionLimits, summary: 'Makes or changes a client of each row of a portion of a file; with dryRun it says what would become of each' }),
    ...importRoutes(clientImport, { path: '/api/clients/import/runs', access: may('CLIENTS/CREATE') }),
    route('clients.update', 'PUT', '/api/clients/:id', edit, update(client), own),
    route('clients.move', 'POST', '/api/clients/:id/move', edit, move(client, { message: ({ status }) => `The client is ${String(status)} now` }), { own: true, summary: 'Deactivates, activates, closes or reopens a client' }),
    route('clients.moveMany', 'POST', '/api/clients/move', edit, moveMany(client), { own: true, summary: 'The same for several clients, with a verdict on each' }),
    route('clients.remove', 'POST', '/api/clients/delete', may('CLIENTS/DELETE'), remove(client)),
    route('clients.restore', 'POST', '/api/clients/restore', may('CLIENTS/DELETE'), restore(client), own),
    route('clients.comment', 'POST', '/api/clients/:id/comments', may('CLIENTS'), comment(client, { open: '/clients/:id/view' }), own),
    route('clients.deregisterUssd', 'DELETE', '/api/clients/deregister-client-ussd-security/:id', edit, command(deregisterInput, deregisterUssd, recordAnswer(client))),
    ...fileRoutes(client, { area: 'clients', path: '/api/clients', read: may('CLIENTS'), write: edit }),
  ],
  screens: [
    screen('/clients/list', may('CLIENTS'), listOf(client, { source: 'clients.list', overrides: { exportReport: 'exportList', actions: listActions } }), { menu: { under: 'clients', label: 'Clients', icon: 'contacts', order: 1 } }),
    screen('/clients/grid', may('CLIENTS'), listOf(client, { source: 'clients.list', overrides: { presentation: 'cards' } })),
    screen('/clients/import', may('CLIENTS/CREATE'), custom('client-import', 'Import clients')),
    screen('/clients/create', may('CLIENTS/CREATE'), formOf(client, { overrides: clientForm }), { createOrder: 30 }),
    screen('/clients/edit/:id', may('CLIENTS/EDIT'), formOf(client, { overrides: clientForm })),
    screen('/clients/:id/view', may('CLIENTS'), clientDetail),
  ],
  jobs: [papersJob.job, importJob(clientImport), forgetImportJob(clientImport)],
})

import { defineArea, may, route } from '../../kernel/area.ts'
import { recordAnswer, rowsAnswer } from '../../kernel/resource/answers.ts'
import { get, list, query } from '../../kernel/resource/operations.ts'
import { detailOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as handle from './client.handlers.ts'
import { clientMetrics } from './client.metrics.ts'
import { client } from './client.resource.ts'

/** Clients: the people the company lends to. They come from leads; reading them is all there is so far. */
export const clientsArea = defineArea({
  name: 'clients',
  metrics: clientMetrics,
  palette: [{ resource: client, anyOf: ['CLIENTS'], subtitle: `concat_ws(' · ', t."phonenumber", t."employer")`, open: '/clients/', tail: '/view', branch: 'tenantId', isPerson: true, order: 30 }],
  menu: [{ key: 'clients', label: 'Clients', icon: 'team', order: 10 }],
  resources: [client],
  routes: [
    route('clients.list', 'GET', '/api/clients', may('CLIENTS'), list(client)),
    route('clients.get', 'GET', '/api/clients/:id', may('CLIENTS'), get(client)),
    route('clients.byPhone', 'GET', '/api/clients/get-person-by-mobile-phone/:phone', may('CLIENTS'), query(handle.phoneInput, handle.clientByPhone, recordAnswer(client))),
    route('clients.search', 'POST', '/api/clients/search', may('CLIENTS'), query(handle.searchInput, handle.searchClients, rowsAnswer(client, client.many))),
  ],
  screens: [
    screen('/clients/list', may('CLIENTS'), listOf(client), { menu: { under: 'clients', label: 'Clients', icon: 'contacts', order: 1 } }),
    screen('/clients/:id/view', may('CLIENTS'), detailOf(client, {
      overrides: {
        sections: [
          { title: 'Person', rows: [['firstName', 'lastName'], ['phonenumber', 'emailAddress'], ['idNumber', 'type'], ['status', 'dateCreated']] },
          { title: 'Work', rows: [['employer', 'empNumber']] },
          { title: 'Place', rows: [['location', 'lineone'], ['city', 'state'], ['postcode', 'country']] },
          { title: 'Where it comes from', rows: [['leadId', 'assignedUserId'], ['tenantId']] },
        ],
      },
    })),
  ],
})

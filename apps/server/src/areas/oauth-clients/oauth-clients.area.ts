import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, remove, update } from '../../kernel/resource/operations.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { newSecret, newSecretAnswer, newSecretInput, restoreOauthClients } from './oauth-client.handlers.ts'
import { oauthClient } from './oauth-client.resource.ts'

const [see, add, edit, drop] = [may('ADMIN/API'), may('ADMIN/API/CREATE'), may('ADMIN/API/EDIT'), may('ADMIN/API/DELETE')]
const own = { own: true }
/** It signs people in when the session is over: nobody sets it up in another's name. */
const inPerson = { own: true, inPerson: true }

/** Programs of other parties in which people sign in with their account here. */
export const oauthClientsArea = defineArea({
  name: 'oauthClients',
  resources: [oauthClient],
  routes: [
    route('oauthClients.list', 'GET', '/api/oauth-clients', see, list(oauthClient), own),
    route('oauthClients.get', 'GET', '/api/oauth-clients/:id', see, get(oauthClient), own),
    route('oauthClients.timeline', 'GET', '/api/oauth-clients/:id/timeline', see, history(oauthClient, { acts: { 'oauthClient.secret': 'Secret made' } }), own),
    route('oauthClients.create', 'POST', '/api/oauth-clients', add, create(oauthClient), inPerson),
    route('oauthClients.remove', 'POST', '/api/oauth-clients/delete', drop, remove(oauthClient), inPerson),
    route('oauthClients.restore', 'POST', '/api/oauth-clients/restore', drop, restoreOauthClients, inPerson),
    route('oauthClients.update', 'PUT', '/api/oauth-clients/:id', edit, update(oauthClient), inPerson),
    route('oauthClients.newSecret', 'POST', '/api/oauth-clients/:id/secret', edit, command(newSecretInput, newSecret, newSecretAnswer), { ...inPerson, limit: 30 }),
  ],
  screens: [
    screen('/admin/oauth-clients/list', see, listOf(oauthClient, { source: 'oauthClients.list' }), { menu: { under: 'administration', label: 'OAuth clients', icon: 'api', order: 5 } }),
    screen('/admin/oauth-clients/create', add, formOf(oauthClient)),
    screen('/admin/oauth-clients/edit/:id', edit, formOf(oauthClient)),
    screen('/admin/oauth-clients/view/:id', see, detailOf(oauthClient)),
  ],
})

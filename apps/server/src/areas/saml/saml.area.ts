import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, noInput, publicCommand, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { custom, detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { PanelDefinition } from '../../kernel/types.ts'
import { loginAnswer } from '../auth/index.ts'
import { acsBodyLimit, acsInput, ownMetadata, takeResponse } from './acs.handlers.ts'
import { confirmStartAnswer, confirmWays, confirmWaysAnswer, startConfirm } from './confirm.handlers.ts'
import { samlLogin, samlLoginInput } from './login.handlers.ts'
import { certificatesAnswer, certificatesOf, setupAnswer, setupOf } from './provider.handlers.ts'
import { sloInput, takePostedSignOut, takeSignOut } from './sign-out.handlers.ts'
import { handOn, sendInput } from './sign-out.send.ts'
import { samlProvider, samlRole } from './saml-provider.resource.ts'
import { trialAnswer, trialInput, tryResponse } from './trial.handlers.ts'

const admins = may('ADMIN/SETTINGS')
const own = { own: true }
/** It decides who somebody is: nobody sets it up in another's name. */
const inPerson = { own: true, inPerson: true }
/** What is about the caller's own session: an API user has none. */
const ofSession = { own: true, ownTransaction: true, peopleOnly: true }
const door = open('an identity provider, by its signature')

const states = [{ value: 'live', label: 'Valid', colour: 'green' }, { value: 'ending', label: 'Ends soon', colour: 'gold' }, { value: 'ended', label: 'Has expired', colour: 'red' }, { value: 'coming', label: 'Not valid yet', colour: 'blue' }]
const certificatesPanel: PanelDefinition = {
  key: 'certificates', title: 'Certificates', route: 'samlProviders.certificates', value: 'certificates',
  fields: {
    subject: { kind: 'text', label: 'Subject' },
    state: { kind: 'choice', label: 'State', options: states },
    validFrom: { kind: 'dateTime', label: 'Valid from' },
    validUntil: { kind: 'dateTime', label: 'Valid until' },
    fingerprint: { kind: 'text', label: 'Fingerprint (SHA-256)' },
  },
  empty: { title: 'No certificates' },
}
const setupPanel: PanelDefinition = {
  key: 'setup', title: 'For the identity provider', route: 'samlProviders.setup', value: 'setup',
  fields: { name: { kind: 'text', label: 'What it asks for' }, value: { kind: 'text', label: 'What to enter there' } },
  empty: { title: 'Nothing to enter' },
}

/** Sign-in by the account that people have at their company's identity provider (SAML 2.0). */
export const samlArea = defineArea({
  name: 'saml',
  resources: [samlProvider, samlRole],
  routes: [
    route('samlProviders.list', 'GET', '/api/saml-providers', admins, list(samlProvider), own),
    route('samlProviders.get', 'GET', '/api/saml-providers/:id', admins, get(samlProvider), own),
    route('samlProviders.timeline', 'GET', '/api/saml-providers/:id/timeline', admins, history(samlProvider), own),
    route('samlProviders.certificates', 'GET', '/api/saml-providers/:id/certificates', admins, query(idInput, certificatesOf, certificatesAnswer), own),
    route('samlProviders.setup', 'GET', '/api/saml-providers/:id/setup', admins, query(idInput, setupOf, setupAnswer), own),
    route('samlProviders.create', 'POST', '/api/saml-providers', admins, create(samlProvider), inPerson),
    route('samlProviders.remove', 'POST', '/api/saml-providers/delete', admins, remove(samlProvider), inPerson),
    route('samlProviders.restore', 'POST', '/api/saml-providers/restore', admins, restore(samlProvider), inPerson),
    route('samlProviders.tryResponse', 'POST', '/api/saml-providers/:id/try', admins, query(trialInput, tryResponse, trialAnswer), { ...inPerson, limit: 30, summary: 'What a response of the provider would give; nothing is done' }),
    route('samlProviders.update', 'PUT', '/api/saml-providers/:id', admins, update(samlProvider), inPerson),
    route('saml.metadata', 'GET', '/api/auth/saml/:key/metadata', door, publicCommand(acsInput, ownMetadata), { own: true, sends: 'application/samlmetadata+xml', limit: 60, summary: 'What we are for an identity provider: SAML metadata' }),
    route('saml.acs', 'POST', '/api/auth/saml/:key/acs', door, publicCommand(acsInput, takeResponse), { own: true, sends: 'redirect', ownTransaction: true, raw: true, bodyLimit: acsBodyLimit, limit: 60, summary: 'Where an identity provider sends people back to' }),
    route('saml.slo', 'GET', '/api/auth/saml/:key/slo', door, publicCommand(sloInput, takeSignOut), { own: true, sends: 'redirect', ownTransaction: true, limit: 60, summary: 'Where an identity provider signs people out, and answers when we did' }),
    route('saml.sloPosted', 'POST', '/api/auth/saml/:key/slo', door, publicCommand(acsInput, takePostedSignOut), { own: true, sends: 'redirect', ownTransaction: true, raw: true, bodyLimit: acsBodyLimit, limit: 60, summary: 'The same for a provider that sends a form' }),
    route('saml.send', 'GET', '/api/auth/saml/:key/send', open('whose browser takes a message of ours to its identity provider, once'), publicCommand(sendInput, handOn), { own: true, sends: 'text/html', ownTransaction: true, limit: 60, summary: 'The form that takes our message of signing out to an identity provider' }),
    route('saml.confirmWays', 'GET', '/api/auth/saml/confirm', anySession, query(noInput, confirmWays, confirmWaysAnswer), { ...ofSession, summary: 'Whether the caller may confirm something by a sign-in at their identity provider' }),
    route('saml.startConfirm', 'POST', '/api/auth/saml/confirm', anySession, command(noInput, startConfirm, confirmStartAnswer), { ...ofSession, inPerson: true, limit: 30, summary: 'Where the caller signs in anew, to confirm something without a password' }),
    route('saml.login', 'POST', '/api/auth/saml/login', open('the code of a response, in the browser that asked'), publicCommand(samlLoginInput, samlLogin, loginAnswer), { own: true, ownTransaction: true, limit: 10 }),
  ],
  screens: [
    screen('/admin/saml/list', admins, listOf(samlProvider, { source: 'samlProviders.list' }), { menu: { under: 'administration', label: 'Identity providers', icon: 'safety', order: 5 } }),
    screen('/admin/saml/add', admins, formOf(samlProvider)),
    screen('/admin/saml/edit/:id', admins, formOf(samlProvider)),
    screen('/admin/saml/view/:id', admins, detailOf(samlProvider, { panels: [setupPanel, certificatesPanel] })),
    screen('/admin/saml/try/:id', admins, custom('saml-trial', 'Try a response')),
  ],
})

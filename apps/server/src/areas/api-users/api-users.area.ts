import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { emptyAnswer, recordAnswer, removedAnswer, recordsAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { PanelDefinition } from '../../kernel/types.ts'
import * as keys from './api-key.handlers.ts'
import { keysAnswer, manyInput, maxKeyDays, maxOverlapHours, newKeyAnswer, newKeyInput, rotateInput } from './api-key.input.ts'
import * as handle from './api-user.handlers.ts'
import { apiUser } from './api-user.resource.ts'

const [see, add, edit, remove] = [may('ADMIN/API'), may('ADMIN/API/CREATE'), may('ADMIN/API/EDIT'), may('ADMIN/API/DELETE')]
/** A key outlasts the session: nobody makes one in another's name. */
const ofKeys = { own: true, inPerson: true, limit: 30 }

const daysField = { kind: 'number', label: 'Valid for (days)', required: true, defaultValue: 365, min: 1, max: maxKeyDays } as const
const reveals = { value: 'key', title: 'The new key', body: 'Copy it now into the other system. It is not shown again.' }
const keysPanel: PanelDefinition = {
  key: 'keys',
  title: 'Keys',
  route: 'apiUsers.keys',
  value: 'keys',
  fields: {
    name: { kind: 'text', label: 'Name' },
    prefix: { kind: 'text', label: 'Begins with' },
    state: { kind: 'choice', label: 'State', options: [{ value: 'valid', label: 'Valid', colour: 'green' }, { value: 'ended', label: 'Ended' }, { value: 'revoked', label: 'Revoked', colour: 'red' }] },
    expiresAt: { kind: 'dateTime', label: 'Ends' },
    lastUsedAt: { kind: 'dateTime', label: 'Last used' },
    lastUsedIp: { kind: 'text', label: 'From address' },
    createdBy: { kind: 'text', label: 'Made by' },
  },
  actions: [
    { route: 'apiUsers.createKey', label: 'New key', scope: 'page', reveals, form: { name: { kind: 'text', label: 'Name', required: true, maxLength: 60, help: 'Where the key will be kept, such as "Payroll server"' }, days: daysField } },
    {
      route: 'apiKeys.rotate', label: 'Replace', scope: 'row', reveals, visibleIf: { eq: ['state', 'valid'] },
      form: { days: daysField, overlapHours: { kind: 'number', label: 'Hours that the old key goes on', required: true, defaultValue: 24, min: 0, max: maxOverlapHours } },
    },
    { route: 'apiKeys.revoke', label: 'Revoke', scope: 'row', danger: true, visibleIf: { eq: ['state', 'valid'] }, confirm: { title: 'Revoke this key?', body: 'Whoever calls with it is refused within five seconds. It cannot be brought back.' } },
  ],
  empty: { title: 'No keys yet', body: 'Make one for each place that the other system runs in.' },
}

/** Other systems that call with a key: what each may do, and where. */
export const apiUsersArea = defineArea({
  name: 'apiUsers',
  resources: [apiUser],
  routes: [
    route('apiUsers.list', 'GET', '/api/api-users', see, list(apiUser), { own: true }),
    route('apiUsers.get', 'GET', '/api/api-users/:id', see, get(apiUser), { own: true }),
    route('apiUsers.timeline', 'GET', '/api/api-users/:id/timeline', see, history(apiUser, { acts: { 'apiKey.create': 'Key created', 'apiKey.rotate': 'Key replaced', 'apiKey.revoke': 'Key revoked' } }), { own: true }),
    route('apiUsers.keys', 'GET', '/api/api-users/:id/keys', see, query(idInput, keys.keysOf, keysAnswer), { own: true }),
    route('apiUsers.create', 'POST', '/api/api-users', add, create(apiUser), { own: true, inPerson: true }),
    route('apiUsers.createKey', 'POST', '/api/api-users/:id/keys', add, command(newKeyInput, keys.createKey, newKeyAnswer), ofKeys),
    route('apiUsers.update', 'PUT', '/api/api-users/:id', edit, { ...command(handle.updateInput, handle.updateApiUser, recordAnswer(apiUser)), kind: 'update', resource: apiUser }, { own: true, inPerson: true }),
    route('apiUsers.remove', 'POST', '/api/api-users/delete', remove, { ...command(manyInput, handle.removeApiUsers, removedAnswer), kind: 'remove', resource: apiUser }, { own: true, inPerson: true }),
    route('apiUsers.restore', 'POST', '/api/api-users/restore', remove, { ...command(manyInput, handle.restoreApiUsers, recordsAnswer(apiUser)), kind: 'restore', resource: apiUser }, { own: true, inPerson: true }),
    route('apiKeys.rotate', 'POST', '/api/api-keys/:id/rotate', edit, command(rotateInput, keys.rotateKey, newKeyAnswer), ofKeys),
    route('apiKeys.revoke', 'POST', '/api/api-keys/:id/revoke', edit, command(idInput, keys.revokeKey, emptyAnswer), ofKeys),
  ],
  screens: [
    screen('/admin/api-users/list', see, listOf(apiUser, { source: 'apiUsers.list' }), { menu: { under: 'administration', label: 'API users', icon: 'api', order: 4 } }),
    screen('/admin/api-users/grid', see, listOf(apiUser, { source: 'apiUsers.list', overrides: { presentation: 'cards' } })),
    screen('/admin/api-users/add', add, formOf(apiUser)),
    // The specification names this address too, and the bare one.
    screen('/admin/api-user/add', add, formOf(apiUser)),
    screen('/api-user/add', add, formOf(apiUser)),
    screen('/admin/api-users/edit/:id', edit, formOf(apiUser)),
    screen('/admin/api-users/view/:id', see, detailOf(apiUser, { panels: [keysPanel] })),
  ],
})

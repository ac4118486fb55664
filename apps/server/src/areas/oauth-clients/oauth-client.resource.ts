import { defineResource } from '../../kernel/resource/define.ts'
import { maxRedirectUris, prepareOauthClient } from './oauth-client.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

/** A program of another party in which people sign in with their account here. */
export const oauthClient = defineResource({
  model: 'oauthClient',
  one: 'oauthClient',
  many: 'oauthClients',
  label: 'OAuth client',
  labelMany: 'OAuth clients',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  isIdentity: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 60, help: 'What the program is called' },
    clientId: { kind: 'text', label: 'Client ID', readOnly: true },
    clientType: {
      kind: 'choice',
      label: 'Type',
      required: true,
      defaultValue: 'public',
      help: 'PKCE is asked of both. A confidential one needs its secret too.',
      options: [
        { value: 'public', label: 'Public: an app or a page, which cannot keep a secret' },
        { value: 'confidential', label: 'Confidential: a server, which keeps a secret' },
      ],
    },
    redirectUris: {
      kind: 'tags',
      label: 'Redirect addresses',
      required: true,
      max: maxRedirectUris,
      maxLength: 500,
      help: 'Where people go back to, letter by letter: https://, or http:// on the same machine',
    },
    scopes: {
      kind: 'permissionTree',
      label: 'Scopes',
      detailOnly: true,
      help: 'What it may do at most in the name of a person, who never gets more this way. With none chosen: all that the person may.',
    },
    scopeCount: { kind: 'number', label: 'Scopes', readOnly: true, sql: 'cardinality(t."scopes")' },
    isDisabled: { kind: 'boolean', label: 'Disabled', defaultValue: false, help: 'Nobody signs in for it, and its sessions end' },
    secretToldAt: { kind: 'dateTime', label: 'Secret shown', readOnly: true },
    formerUntil: { kind: 'dateTime', label: 'Old secret ends', readOnly: true },
    lastUsedAt: { kind: 'dateTime', label: 'Last used', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
  },
  list: {
    columns: ['name', 'clientId', 'clientType', 'redirectUris', 'scopeCount', 'isDisabled', 'lastUsedAt', 'dateCreated'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    filters: ['name', 'clientType', 'isDisabled', 'dateCreated'],
    empty: { title: 'No OAuth clients yet', body: 'Add one for each program in which people sign in with their account here.' },
  },
  form: [['name', 'clientType'], ['redirectUris'], ['scopes'], ['isDisabled']],
  actions: [
    {
      route: 'oauthClients.newSecret',
      label: 'New secret',
      scope: 'row',
      visibleIf: { eq: ['clientType', 'confidential'] },
      reveals: {
        value: 'secret',
        title: 'The new secret',
        body: 'Copy it now into the other program, which sends it with each code. It is not shown again.',
      },
      form: {
        overlapHours: { kind: 'number', label: 'Hours that the old secret goes on', required: true, defaultValue: 24, min: 0, max: 168 },
      },
    },
    bulkDeleteAction(
      'oauthClients.remove',
      {
        title: 'Delete the chosen OAuth clients?',
        body: 'Nobody signs in for them any more, and sessions that they opened end at once.',
      },
      'oauthClients.restore',
    ),
  ],
  prepare: prepareOauthClient,
})

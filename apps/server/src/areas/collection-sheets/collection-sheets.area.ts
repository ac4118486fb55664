import type { Access } from '@outpost/contract/permissions'
import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { postSheet } from './sheet.handlers.ts'
import { collectionLine, collectionSheet } from './sheet.resource.ts'

const own = { own: true }
const [see, edit] = [may('CLIENTS/GROUPS'), may('CLIENTS/GROUPS/EDIT')]
/** Posting captures payments. */
const post: Access = { kind: 'permission', anyOf: ['CLIENTS/CREATE'], alsoAnyOf: ['CLIENTS/GROUPS/EDIT'] }
const path = '/api/collection-sheets'

/** Collection sheets: what a group brings to its meeting, posted to the loans of its members at once. */
export const collectionSheetsArea = defineArea({
  name: 'collectionSheets',
  resources: [collectionSheet, collectionLine],
  routes: [
    route('collectionSheets.list', 'GET', path, see, list(collectionSheet), own),
    route('collectionSheets.get', 'GET', `${path}/:id`, see, get(collectionSheet), own),
    route('collectionSheets.timeline', 'GET', `${path}/:id/timeline`, see, history(collectionSheet), own),
    route('collectionSheets.create', 'POST', path, edit, create(collectionSheet, { message: 'Collection sheet begun' }), { own: true, summary: 'Begins the sheet of a meeting with its members and what is due' }),
    route('collectionSheets.post', 'POST', `${path}/:id/post`, post, command(idInput, postSheet, recordAnswer(collectionSheet)), { own: true, summary: 'Books every payment of a sheet, or none, with an answer for each line' }),
    route('collectionSheets.move', 'POST', `${path}/:id/move`, edit, move(collectionSheet), { own: true, summary: 'Cancels a sheet' }),
    route('collectionSheets.update', 'PUT', `${path}/:id`, edit, update(collectionSheet), own),
  ],
  panels: [on('clientGroup', by(collectionSheet, 'groupId'))],
  screens: [
    screen('/clients/groups/collection-sheets', see, listOf(collectionSheet, { source: 'collectionSheets.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'Collection sheets', icon: 'wallet', order: 3 } }),
    screen('/clients/groups/collection-sheets/create', edit, formOf(collectionSheet, { overrides: { sections: [{ hint: 'The members of the group and what is due by that day come by themselves. Without a connection the members alone come, and what is due comes with the next sync.', rows: [['groupId', 'meetingOn'], ['note']] }] } })),
    screen('/clients/groups/collection-sheets/:id/edit', edit, formOf(collectionSheet)),
    screen('/clients/groups/collection-sheets/:id/view', see, detailOf(collectionSheet, {
      overrides: {
        sections: [
          { rows: [['sheetNumber', 'groupId'], ['meetingOn', 'status'], ['expected', 'received'], ['excess', 'short'], ['present', 'statusReason'], ['postedByUserId', 'postedAt'], ['tenantId', 'dateCreated']] },
          { title: 'Members', rows: [['lines'], ['note']] },
        ],
      },
    })),
  ],
})

import { defineArea, may, route } from '../../../kernel/area.ts'
import { comment } from '../../../kernel/keeps/comments.ts'
import { fileRoutes } from '../../../kernel/keeps/files.ts'
import { history } from '../../../kernel/keeps/history.ts'
import { recordsAnswer } from '../../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, update } from '../../../kernel/resource/operations.ts'
import { idInput } from '../../../kernel/resource/schema.ts'
import { detailOf, formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import { move, moveMany } from '../../../kernel/workflow/operations.ts'
import * as handle from './group.handlers.ts'
import { clientGroup, clientGroupMeeting, clientGroupMember } from './group.resource.ts'
import { rolloverJob } from './group.rollover.job.ts'
import { groupsPerClient } from './group.settings.ts'

const own = { own: true }
const see = may('CLIENTS/GROUPS')
const edit = may('CLIENTS/GROUPS/EDIT')
const path = '/api/client-groups'

/** Groups of clients: who is in them with which office, and when they meet. */
export const groupsArea = defineArea({
  name: 'clientGroups',
  settings: [groupsPerClient],
  palette: [{ resource: clientGroup, anyOf: ['CLIENTS/GROUPS'], subtitle: `concat_ws(' · ', t."meetingPlace", t."status")`, open: '/clients/groups/details/', branch: 'tenantId', order: 35 }],
  resources: [clientGroup, clientGroupMember, clientGroupMeeting],
  routes: [
    route('clientGroups.list', 'GET', path, see, list(clientGroup), own),
    route('clientGroups.get', 'GET', `${path}/:id`, see, get(clientGroup), own),
    route('clientGroups.timeline', 'GET', `${path}/:id/timeline`, see, history(clientGroup, handle.groupHistory), own),
    route('clientGroups.meetings', 'GET', `${path}/:id/meetings`, see, query(idInput, handle.groupMeetings, handle.meetingsAnswer), own),
    route('clientGroups.ofClient', 'GET', '/api/clients/:id/groups', see, query(idInput, handle.groupsOfClient, handle.clientGroupsAnswer), own),
    route('clientGroups.create', 'POST', path, may('CLIENTS/GROUPS/CREATE'), create(clientGroup), own),
    route('clientGroups.update', 'PUT', `${path}/:id`, edit, update(clientGroup), own),
    route('clientGroups.move', 'POST', `${path}/:id/move`, edit, move(clientGroup, { message: ({ status }) => `The group is ${String(status)} now` }), { own: true, summary: 'Activates or closes a group' }),
    route('clientGroups.moveMany', 'POST', `${path}/move`, edit, moveMany(clientGroup), { own: true, summary: 'The same for several groups, with a verdict on each' }),
    route('clientGroups.remove', 'POST', `${path}/delete`, may('CLIENTS/GROUPS/DELETE'), remove(clientGroup), own),
    route('clientGroups.restore', 'POST', `${path}/restore`, may('CLIENTS/GROUPS/DELETE'), { ...command(handle.restoreInput, handle.restoreGroups, recordsAnswer(clientGroup)), kind: 'restore', resource: clientGroup }, own),
    route('clientGroups.comment', 'POST', `${path}/:id/comments`, see, comment(clientGroup, { open: '/clients/groups/details/:id' }), own),
    ...fileRoutes(clientGroup, { area: 'clientGroups', path, read: see, write: edit }),
  ],
  panels: handle.groupPanels,
  screens: [
    screen('/clients/groups/list', see, listOf(clientGroup, { source: 'clientGroups.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'Groups', icon: 'team', order: 2 } }),
    screen('/clients/groups/create', may('CLIENTS/GROUPS/CREATE'), formOf(clientGroup)),
    screen('/clients/groups/edit/:id', edit, formOf(clientGroup)),
    screen('/clients/groups/details/:id', see, detailOf(clientGroup, {
      panels: [handle.meetingsPanel],
      overrides: {
        sections: [
          { rows: [['groupNumber', 'registrationNumber'], ['status', 'statusReason'], ['formedOn', 'memberCount'], ['minMembers', 'maxMembers'], ['assignedUserId', 'tenantId']] },
          { title: 'Meetings', rows: [['nextMeetingAt', 'meetingRule'], ['meetingStart', 'meetingPlace'], ['meetingChanges']] },
          { title: 'Members', rows: [['members'], ['notes']] },
        ],
      },
    })),
  ],
  jobs: [rolloverJob],
})

import { commonRecurrences } from '@outpost/rules/activities/recurrence'
import { commentAction, commentCount } from '../../../kernel/keeps/comments.ts'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { nameText } from '../../../kernel/names.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { batched } from '../../../kernel/resource/read/batched.ts'
import { leftStateFilter } from '../../../kernel/workflow/left-state.ts'
import { groupWorkflow } from './group.moves.ts'
import { prepareGroup } from './group.rules.ts'
import { bulkDeleteAction } from '../../../kernel/screens/delete-action.ts'

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
const members = { from: 'client_group_member m', alias: 'm', key: 'groupId' }
const meetings = commonRecurrences.filter(({ value }) => /WEEKLY|MONTHLY/.test(value) && !value.includes('BYDAY'))

/** A client in a group, and the office held there. */
export const clientGroupMember = defineResource({
  model: 'clientGroupMember',
  one: 'clientGroupMember',
  many: 'clientGroupMembers',
  label: 'Member',
  labelMany: 'Members',
  title: 'role',
  isScoped: true,
  fields: {
    clientId: { kind: 'reference', label: 'Client', to: 'client', required: true },
    role: {
      kind: 'choice',
      label: 'Role',
      required: true,
      defaultValue: 'Member',
      options: options(['Chair', 'Secretary', 'Treasurer', 'Member']),
    },
    joinedOn: { kind: 'date', label: 'Joined' },
  },
  list: { columns: ['clientId', 'role', 'joinedOn'], sort: ['role', 'ASC'], size: 200 },
})

/** One meeting of a group that was moved, or left out. */
export const clientGroupMeeting = defineResource({
  model: 'clientGroupMeeting',
  one: 'clientGroupMeeting',
  many: 'clientGroupMeetings',
  label: 'Changed meeting',
  labelMany: 'Changed meetings',
  title: 'reason',
  isScoped: true,
  fields: {
    meetingOn: { kind: 'date', label: 'Meeting of', required: true },
    movedTo: { kind: 'dateTime', label: 'Moved to', help: 'Empty: it is left out' },
    reason: { kind: 'text', label: 'Reason', maxLength: 200 },
  },
  list: { columns: ['meetingOn', 'movedTo', 'reason'], sort: ['meetingOn', 'ASC'], size: 200 },
})

/** Clients who meet, save and borrow together. */
export const clientGroup = defineResource({
  model: 'clientGroup',
  one: 'clientGroup',
  many: 'clientGroups',
  label: 'Group',
  labelMany: 'Groups',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  hasSearchIndex: true,
  keeps: ['comments', 'files'],
  workflow: groupWorkflow,
  fields: {
    groupNumber: recordNumber({ prefix: 'G-', digits: 4 }),
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    registrationNumber: { kind: 'text', label: 'Registration number', maxLength: 40 },
    formedOn: { kind: 'date', label: 'Formed' },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user', given: { of: 'userId' } },
    minMembers: { kind: 'number', label: 'Fewest members', required: true, defaultValue: 5, min: 2, max: 200 },
    maxMembers: { kind: 'number', label: 'Most members', required: true, defaultValue: 30, min: 2, max: 200 },
    members: { kind: 'lines', label: 'Members', of: clientGroupMember, by: 'groupId', max: 200, detailOnly: true },
    memberCount: { kind: 'number', label: 'People', readOnly: true, ...batched(members, 'count(*)::int', '0') },
    chair: {
      kind: 'text',
      label: 'Chair',
      readOnly: true,
      sql: `select ${nameText('c')} from client_group_member m join client c on c."companyId" = m."companyId" and c."id" = m."clientId"
        where m."companyId" = t."companyId" and m."groupId" = t."id" and m."role" = 'Chair' limit 1`,
    },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      given: 'Forming',
      merge: 'threeWay',
      options: [
        { value: 'Forming', label: 'Forming', colour: 'gold' },
        { value: 'Active', label: 'Active', colour: 'green' },
        { value: 'Closed', label: 'Closed', colour: 'default' },
      ],
    },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, merge: 'threeWay', maxLength: 300 },
    leftStatus: leftStateFilter({ one: 'clientGroup', field: 'status', label: 'Left the status' }),
    meetingRule: { kind: 'choice', label: 'Meets', help: 'Empty: once', options: [...meetings] },
    meetingStart: { kind: 'dateTime', label: 'First meeting' },
    nextMeetingAt: { kind: 'dateTime', label: 'Next meeting', readOnly: true, merge: 'server' },
    meetingPlace: { kind: 'text', label: 'Meeting place', maxLength: 200 },
    meetingChanges: {
      kind: 'lines',
      label: 'Meetings moved or left out',
      of: clientGroupMeeting,
      by: 'groupId',
      max: 100,
      detailOnly: true,
    },
    notes: { kind: 'longText', label: 'Notes', maxLength: 2_000, detailOnly: true },
    comments: commentCount('clientGroup'),
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true, merge: 'server' },
    createdByUserId: { kind: 'text', label: 'Captured by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'groupNumber',
      'name',
      'status',
      'memberCount',
      'chair',
      'nextMeetingAt',
      'meetingPlace',
      'assignedUserId',
      'tenantId',
      'dateCreated',
    ],
    search: ['name', 'registrationNumber', 'meetingPlace'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['status', 'assignedUserId', 'tenantId', 'nextMeetingAt', 'dateCreated', 'leftStatus'],
    dates: {
      created: { label: 'Created', field: 'dateCreated', window: { kind: 'all' } },
      meeting: { label: 'Next meeting', field: 'nextMeetingAt', window: { kind: 'week' } },
    },
    empty: { title: 'No groups yet', body: 'Make one of clients who meet, save and borrow together.' },
  },
  form: [
    ['name', 'registrationNumber'],
    ['formedOn', 'assignedUserId'],
    ['minMembers', 'maxMembers'],
    ['meetingStart', 'meetingRule'],
    ['meetingPlace'],
    ['meetingChanges'],
    ['members'],
    ['notes'],
  ],
  actions: [
    commentAction('clientGroups.comment'),
    bulkDeleteAction(
      'clientGroups.remove',
      { title: 'Delete the chosen groups?', body: 'Their members stay clients.' },
      'clientGroups.restore',
    ),
  ],
  prepare: prepareGroup,
})

import { may } from '../../kernel/area.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { batched } from '../../kernel/resource/read/batched.ts'
import { prepareSheet } from './sheet.rules.ts'

const lines = { from: 'collection_line x', alias: 'x', key: 'sheetId' }
const money = { kind: 'money', readOnly: true, currency: 'company' } as const

/** A member at the meeting, with one of their loans: what was expected of it, what came. */
export const collectionLine = defineResource({
  model: 'collectionLine',
  one: 'collectionLine',
  many: 'collectionLines',
  label: 'Line',
  labelMany: 'Lines',
  title: 'attendance',
  isScoped: true,
  fields: {
    clientId: { kind: 'reference', label: 'Member', to: 'client', required: true },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan' },
    expected: { kind: 'money', label: 'Expected', currency: 'company', min: 0 },
    received: { kind: 'money', label: 'Received', currency: 'company', min: 0, defaultValue: 0 },
    attendance: {
      kind: 'choice',
      label: 'Attendance',
      required: true,
      defaultValue: 'Present',
      options: [
        { value: 'Present', label: 'Present', colour: 'green' },
        { value: 'Absent', label: 'Absent', colour: 'red' },
        { value: 'Excused', label: 'Excused', colour: 'gold' },
      ],
    },
  },
  list: { columns: ['clientId', 'loanId', 'expected', 'received', 'attendance'], sort: ['attendance', 'ASC'], size: 400 },
})

/** What a group brings to a meeting. Filled in on a device too; posted once, all or nothing. */
export const collectionSheet = defineResource({
  model: 'collectionSheet',
  one: 'collectionSheet',
  many: 'collectionSheets',
  label: 'Collection sheet',
  labelMany: 'Collection sheets',
  title: 'sheetNumber',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  offlineWindow: { since: 'meetingOn', days: 90 },
  workflow: {
    field: 'status',
    route: 'collectionSheets.move',
    states: {
      Draft: { meaning: 'open', colour: 'blue' },
      Posted: { meaning: 'done', colour: 'green' },
      Cancelled: { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'post', label: 'Post', from: ['Draft'], to: 'Posted', madeBy: 'program' },
      {
        name: 'cancel',
        label: 'Cancel',
        from: ['Draft'],
        to: 'Cancelled',
        access: may('CLIENTS/GROUPS/EDIT'),
        danger: true,
        ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
      },
    ],
  },
  fields: {
    sheetNumber: recordNumber({ prefix: 'CS-', digits: 5 }, 'Sheet'),
    groupId: { kind: 'reference', label: 'Group', to: 'clientGroup', required: true, createOnly: true },
    meetingOn: { kind: 'date', label: 'Meeting', required: true, createOnly: true },
    note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
    lines: {
      kind: 'lines',
      label: 'Members',
      of: collectionLine,
      by: 'sheetId',
      max: 400,
      detailOnly: true,
      beginsFrom: { field: 'groupId', lines: 'members', take: ['clientId'] },
    },
    expected: { ...money, label: 'Expected', ...batched(lines, 'coalesce(sum(x."expected"), 0)::float8', '0') },
    received: { ...money, label: 'Received', ...batched(lines, 'coalesce(sum(x."received"), 0)::float8', '0') },
    excess: { ...money, label: 'Excess', ...batched(lines, 'coalesce(sum(greatest(x."received" - x."expected", 0)), 0)::float8', '0') },
    short: { ...money, label: 'Short', ...batched(lines, 'coalesce(sum(greatest(x."expected" - x."received", 0)), 0)::float8', '0') },
    present: {
      kind: 'number',
      label: 'Present',
      readOnly: true,
      ...batched(lines, `count(distinct x."clientId") filter (where x."attendance" = 'Present')::int`, '0'),
    },
    status: { kind: 'choice', label: 'Status', readOnly: true, given: 'Draft', merge: 'threeWay' },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, merge: 'threeWay', maxLength: 300 },
    postedAt: { kind: 'dateTime', label: 'Posted', readOnly: true, merge: 'server' },
    postedByUserId: { kind: 'reference', label: 'Posted by', to: 'user', readOnly: true, merge: 'server' },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true, merge: 'server' },
    createdByUserId: { kind: 'text', label: 'Made by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'sheetNumber',
      'groupId',
      'meetingOn',
      'status',
      'expected',
      'received',
      'excess',
      'short',
      'present',
      'tenantId',
      'dateCreated',
    ],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['status', 'groupId', 'meetingOn', 'tenantId', 'dateCreated'],
    dates: { meeting: { label: 'Meeting', field: 'meetingOn', window: { kind: 'all' } } },
    empty: { title: 'No collection sheets yet', body: 'Begin one for a group: its members and what is due come by themselves.' },
  },
  form: [['groupId', 'meetingOn'], ['lines'], ['note']],
  actions: [
    {
      route: 'collectionSheets.post',
      label: 'Post',
      scope: 'row',
      visibleIf: { eq: ['status', 'Draft'] },
      confirm: { title: 'Post this sheet?', body: 'All of its payments are booked, or none. It cannot be posted twice.' },
    },
  ],
  prepare: prepareSheet,
})

import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { tenantInReach } from '../../../kernel/session/reach.ts'
import { readPhone } from '../../../kernel/phone.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { holdsAny } from '../../../kernel/session/permission.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { contactActions } from './contact-actions.ts'
import { deleteAction } from '../../../kernel/screens/delete-action.ts'

type EntryRow = ModelRow<'phoneBookEntry'>

const visibility = [
  { value: 'SHARED', label: 'Everybody in the company', colour: 'blue' },
  { value: 'BRANCH', label: 'The branch', colour: 'green' },
  { value: 'PRIVATE', label: 'Only me', colour: 'default' },
]

/** What everybody has, what one's reach has, and one's own; a private entry is seen by nobody else, whatever their role. */
function entriesFor(ctx: Ctx): Statement {
  const inReach = tenantInReach(ctx, sql`t."tenantId"`)
  return sql`(t."ownerUserId" = ${ctx.user.id}::uuid or t."visibility" = 'SHARED' or (t."visibility" = 'BRANCH' and ${inReach}))`
}

/** A number that somebody keeps. */
export const phoneBookEntry = defineResource({
  model: 'phoneBookEntry',
  one: 'phoneBookEntry',
  many: 'phoneBookEntries',
  label: 'Contact',
  labelMany: 'Contacts',
  title: 'name',
  isSoftDeleted: true,
  writtenBy: 'prepared',
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    organisation: { kind: 'text', label: 'Organisation', maxLength: 120 },
    jobTitle: { kind: 'text', label: 'Position', maxLength: 80 },
    phonenumber: { kind: 'phone', label: 'Phone' },
    otherNumber: { kind: 'phone', label: 'Other phone' },
    emailAddress: { kind: 'email', label: 'E-mail' },
    visibility: { kind: 'choice', label: 'Seen by', required: true, defaultValue: 'BRANCH', options: visibility },
    notes: { kind: 'longText', label: 'Notes', maxLength: 2_000, detailOnly: true },
    ownerUserId: { kind: 'reference', label: 'Kept by', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'organisation', 'phonenumber', 'emailAddress', 'visibility', 'ownerUserId'],
    search: ['name', 'organisation', 'phonenumber', 'emailAddress'],
    sort: ['name', 'ASC'],
    size: 1_000,
    filters: ['visibility', 'ownerUserId'],
  },
  form: [['name', 'organisation'], ['phonenumber', 'otherNumber'], ['emailAddress', 'jobTitle'], ['visibility'], ['notes']],
  visible: entriesFor,
  prepare: prepareEntry,
})

/** Numbers that reach somebody; what is shared is changed by its keeper and by whoever's reach is the whole company, what the branch has by the branch. */
function prepareEntry(ctx: Ctx, { kind, input, before }: PrepareWrite<EntryRow>): Partial<EntryRow> {
  const isOwn = before === undefined || before.ownerUserId === ctx.user.id
  if (!isOwn && before.visibility === 'SHARED' && ctx.scope !== '*')
    fail('FORBIDDEN', { message: 'What everybody has is changed by whoever keeps it.' })
  if (kind === 'remove') return {}
  if (!isOwn && input.visibility === 'PRIVATE')
    fail('INVALID', { fields: [{ field: 'visibility', message: 'can be made private only by whoever keeps it' }] })
  for (const field of ['phonenumber', 'otherNumber'] as const) if (input[field]) readPhone(ctx, field, input[field])
  const { phonenumber, otherNumber, emailAddress } = { ...before, ...input }
  if (!phonenumber && !otherNumber && !emailAddress)
    fail('INVALID', { fields: [{ field: 'phonenumber', message: 'is required where there is no e-mail address' }] })
  return kind === 'create' ? { tenantId: ctx.tenant.id, ownerUserId: ctx.user.id } : {}
}

/** All numbers together: entries, clients, and leads for whoever may see leads. */
export const phoneBook = defineResource({
  model: 'phoneBook',
  one: 'phoneBookRow',
  many: 'phoneBook',
  label: 'Contact',
  labelMany: 'Phone book',
  title: 'name',
  fields: {
    name: { kind: 'text', label: 'Name', readOnly: true },
    kind: {
      kind: 'choice',
      label: 'Kind',
      readOnly: true,
      options: [
        { value: 'ENTRY', label: 'Contact', colour: 'blue' },
        { value: 'CLIENT', label: 'Client', colour: 'green' },
        { value: 'LEAD', label: 'Lead', colour: 'gold' },
      ],
    },
    phonenumber: { kind: 'phone', label: 'Phone', readOnly: true },
    otherNumber: { kind: 'phone', label: 'Other phone', readOnly: true },
    emailAddress: { kind: 'email', label: 'E-mail', readOnly: true },
    organisation: { kind: 'text', label: 'Organisation', readOnly: true },
    jobTitle: { kind: 'text', label: 'Position', readOnly: true },
    visibility: { kind: 'choice', label: 'Seen by', readOnly: true, options: visibility },
    ownerUserId: { kind: 'reference', label: 'Agent or keeper', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
  },
  list: {
    columns: ['name', 'kind', 'phonenumber', 'otherNumber', 'emailAddress', 'organisation', 'visibility', 'ownerUserId', 'tenantId'],
    search: ['name', 'organisation', 'phonenumber', 'otherNumber', 'emailAddress'],
    sort: ['name', 'ASC'],
    size: 1_000,
    filters: ['kind', 'visibility', 'organisation', 'ownerUserId', 'tenantId'],
    empty: { title: 'Nobody here yet', body: 'Add a contact, or widen the search.' },
  },
  actions: [
    { key: 'add', label: 'New contact', open: '/clients/phone-book/create', scope: 'page' },
    { key: 'import', label: 'Import', open: '/clients/phone-book/import', scope: 'page' },
    ...contactActions,
    { key: 'client', label: 'Open client', open: '/clients/:id/view', scope: 'row', visibleIf: { eq: ['kind', 'CLIENT'] } },
    { key: 'lead', label: 'Open lead', open: '/sales/leads/:id/view', scope: 'row', visibleIf: { eq: ['kind', 'LEAD'] } },
    { key: 'edit', label: 'Edit', open: '/clients/phone-book/edit/:id', scope: 'row', visibleIf: { eq: ['kind', 'ENTRY'] } },
    { route: 'phoneBook.vcards', label: 'Save as vCard', scope: 'bulk', idField: 'ids', many: true, download: true },
    deleteAction(
      'phoneBook.remove',
      { title: 'Delete this contact?' },
      { undo: 'phoneBook.restore', visibleIf: { eq: ['kind', 'ENTRY'] } },
    ),
  ],
  visible: (ctx) => {
    const people = [...(holdsAny(ctx, 'CLIENTS') ? ['CLIENT'] : []), ...(holdsAny(ctx, 'SALES/LEADS') ? ['LEAD'] : [])]
    const inReach = tenantInReach(ctx, sql`t."tenantId"`)
    return sql`((t."kind" = 'ENTRY' and ${entriesFor(ctx)}) or (t."kind" = any(${people}::text[]) and ${inReach}))`
  },
})

import type { Condition } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import { commentAction, commentCount } from '../../kernel/keeps/comments.ts'
import { defineResource, joined } from '../../kernel/resource/define.ts'
import { leftStateFilter } from '../../kernel/workflow/left-state.ts'
import { duplicateClient } from './client.errors.ts'
import { clientAddress, clientContact, clientDocument, clientIdentifier, clientKin } from './client.lines.ts'
import { receiptChannels } from '../messages/index.ts'
import { clientWorkflow } from './client.moves.ts'
import { takenOver } from './client.of-lead.ts'
import { prepareClient } from './client.rules.ts'
import { heldClient } from './client.running.ts'
import { contactActions } from './phone-book/contact-actions.ts'
import { kyc, nextExpiry } from './client.papers.ts'
import type { ActionDefinition } from '../../kernel/types.ts'
import { isUssdLocked } from './client.ussd-lock.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const types = ['Individual', 'Civil servant', 'Log book', 'SME'].map((value) => ({ value, label: value }))
const statusOptions = [
  { value: 'Active', label: 'Active', colour: 'green' },
  { value: 'Inactive', label: 'Inactive', colour: 'gold' },
  { value: 'Closed', label: 'Closed', colour: 'default' },
]

/** The calculator that a client of a type is assessed with, which opens with the client chosen. */
const assessWith = (calculator: string, visibleIf: Condition): ActionDefinition => ({
  key: `assess.${calculator}`,
  open: `/sales/calculators/${calculator}?client=:Id`,
  label: 'Assess',
  scope: 'row',
  visibleIf,
})
const assessActions = [
  assessWith('cs-affordability', { not: { in: ['type', ['Log book', 'SME']] } }),
  assessWith('lbf-affordability', { eq: ['type', 'Log book'] }),
  assessWith('sme-affordability', { eq: ['type', 'SME'] }),
]

/** A person the company lends to; made from a lead, which it names, or captured as one. */
export const client = defineResource({
  model: 'client',
  one: 'client',
  many: 'clients',
  label: 'Client',
  labelMany: 'Clients',
  title: 'fullName',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  hasSearchIndex: true,
  keeps: ['comments', 'files'],
  belongings: [{ table: 'client_message', own: 'clientId' }],
  workflow: clientWorkflow,
  fields: {
    fullName: { kind: 'text', label: 'Name', readOnly: true, ...joined('firstName', 'lastName') },
    firstName: { kind: 'personName', label: 'First name', required: true, maxLength: 20 },
    lastName: { kind: 'personName', label: 'Last name', required: true, maxLength: 60 },
    phonenumber: { kind: 'phone', label: 'Phone', required: true, help: 'A leading 0 and 9 digits, or an international number' },
    trimmedPhonenumber: { kind: 'text', label: 'Phone (international)', readOnly: true },
    contactNumber: { kind: 'phone', label: 'Other phone' },
    emailAddress: { kind: 'email', label: 'E-mail' },
    receiptsBy: {
      kind: 'choice',
      label: 'Receipts',
      options: [...receiptChannels],
      detailOnly: true,
      help: 'How receipts of payments are sent. Left empty: as the company does',
    },
    idNumber: { kind: 'idNumber', label: 'ID number', sensitive: true, merge: 'ask' },
    dateOfBirth: { kind: 'date', label: 'Date of birth', detailOnly: true },
    type: { kind: 'choice', label: 'Type', options: types },
    employer: { kind: 'text', label: 'Employer', maxLength: 120 },
    empNumber: { kind: 'text', label: 'Employee number', maxLength: 40, help: 'The number that the payroll knows the client by' },
    jobTitle: { kind: 'text', label: 'Position', maxLength: 80 },
    employedSince: { kind: 'date', label: 'Employed since' },
    status: { kind: 'choice', label: 'Status', readOnly: true, given: 'Active', merge: 'threeWay', options: statusOptions },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, merge: 'threeWay', maxLength: 300 },
    leftStatus: leftStateFilter({ one: 'client', field: 'status', label: 'Left the status' }),
    leadId: {
      kind: 'reference',
      label: 'Lead',
      to: 'lead',
      createOnly: true,
      merge: 'server',
      fills: takenOver,
      help: 'An approved lead becomes Converted with the client, who takes over what it says',
    },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user', given: { of: 'userId' } },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true, merge: 'server' },
    location: { kind: 'text', label: 'Place', maxLength: 200 },
    lineone: { kind: 'text', label: 'Street', maxLength: 120 },
    city: { kind: 'text', label: 'Town', maxLength: 80 },
    state: { kind: 'text', label: 'Province or county', maxLength: 80 },
    postcode: { kind: 'text', label: 'Postcode', maxLength: 12 },
    country: { kind: 'text', label: 'Country', maxLength: 60 },
    latitude: { kind: 'number', label: 'Latitude', min: -90, max: 90 },
    longitude: { kind: 'number', label: 'Longitude', min: -180, max: 180 },
    identifiers: { kind: 'lines', label: 'Identifiers', of: clientIdentifier, by: 'clientId', max: 20, detailOnly: true },
    contacts: { kind: 'lines', label: 'Further contacts', of: clientContact, by: 'clientId', max: 20, detailOnly: true },
    addresses: { kind: 'lines', label: 'Addresses', of: clientAddress, by: 'clientId', max: 20, detailOnly: true },
    nextOfKin: { kind: 'lines', label: 'Next of kin and guarantors', of: clientKin, by: 'clientId', max: 20, detailOnly: true },
    documents: { kind: 'lines', label: 'Documents', of: clientDocument, by: 'clientId', max: 50, detailOnly: true },
    nextExpiry,
    kyc,
    notes: { kind: 'longText', label: 'Notes', maxLength: 2_000, detailOnly: true },
    ussdSecuredAt: { kind: 'dateTime', label: 'USSD secured since', readOnly: true, merge: 'server' },
    isUssdLocked,
    comments: commentCount('client'),
    createdByUserId: { kind: 'text', label: 'Captured by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Client since', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'fullName',
      'phonenumber',
      'status',
      'kyc',
      'nextExpiry',
      'employer',
      'assignedUserId',
      'tenantId',
      'city',
      'leadId',
      'dateCreated',
    ],
    search: ['firstName', 'lastName', 'phonenumber', 'emailAddress', 'idNumber', 'empNumber'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['status', 'kyc', 'nextExpiry', 'type', 'city', 'employer', 'assignedUserId', 'tenantId', 'dateCreated', 'leftStatus'],
    dates: { created: { label: 'Client since', field: 'dateCreated', window: { kind: 'all' } } },
    empty: { title: 'No clients yet', body: 'A lead becomes a client when it is converted, or capture one here.' },
  },
  form: [
    ['leadId'],
    ['firstName', 'lastName'],
    ['phonenumber', 'emailAddress'],
    ['contactNumber', 'idNumber'],
    ['dateOfBirth', 'type'],
    ['employer', 'empNumber'],
    ['jobTitle', 'employedSince'],
    ['lineone', 'city'],
    ['state', 'postcode'],
    ['country', 'assignedUserId'],
    ['receiptsBy'],
    ['nextOfKin'],
    ['documents'],
    ['identifiers'],
    ['contacts'],
    ['addresses'],
    ['notes'],
  ],
  actions: [
    ...contactActions,
    ...assessActions,
    commentAction('clients.comment'),
    {
      route: 'clients.deregisterUssd',
      label: 'Clear USSD security',
      scope: 'row',
      idField: 'id',
      danger: true,
      visibleIf: { not: { and: [{ eq: ['ussdSecuredAt', null] }, { not: { eq: ['isUssdLocked', true] } }] } },
      confirm: { title: 'Clear PIN and device of this client?', body: 'The client sets a new PIN with the next session.' },
      form: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
    },
    {
      route: 'transfers.clients',
      label: 'Transfer',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      form: {
        tenantId: { kind: 'reference', label: 'To branch', to: 'tenant', help: 'Left empty: the client stays where it is' },
        assignedUserId: {
          kind: 'reference',
          label: 'To agent',
          to: 'user',
          help: 'Must work in the branch. Left empty: stays, where the agent works there too',
        },
        withLoans: { kind: 'boolean', label: 'With the loans that are not closed', defaultValue: true },
        reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 },
      },
    },
    bulkDeleteAction('clients.remove', { title: 'Delete the chosen clients?' }, 'clients.restore'),
  ],
  duplicates: {
    columns: ['trimmedPhonenumber', 'emailAddress', 'idNumber'],
    typed: { trimmedPhonenumber: 'phonenumber' },
    onDevice: ['trimmedPhonenumber', 'emailAddress'],
    error: duplicateClient,
    find: (values) => sql`select id, "tenantId", "column", value from search.client_duplicate(
      ${values['trimmedPhonenumber'] ?? []}::text[], ${values['emailAddress'] ?? []}::text[], ${values['idNumber'] ?? []}::text[])`,
  },
  held: heldClient,
  prepare: prepareClient,
})

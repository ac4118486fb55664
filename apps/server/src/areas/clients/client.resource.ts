import { defineResource } from '../../kernel/resource/define.ts'
import { nameText } from '../../kernel/names.ts'

const statusOptions = [
  { value: 'Active', label: 'Active', colour: 'green' },
  { value: 'Closed', label: 'Closed', colour: 'default' },
]

/** A person the company lends to; made from a lead, which it names. */
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
  offline: 'read',
  hasSearchIndex: true,
  fields: {
    fullName: { kind: 'text', label: 'Name', readOnly: true, sql: nameText('t') },
    firstName: { kind: 'personName', label: 'First name', readOnly: true },
    lastName: { kind: 'personName', label: 'Last name', readOnly: true },
    phonenumber: { kind: 'phone', label: 'Phone', readOnly: true },
    trimmedPhonenumber: { kind: 'text', label: 'Phone (international)', readOnly: true },
    emailAddress: { kind: 'email', label: 'E-mail', readOnly: true },
    idNumber: { kind: 'idNumber', label: 'ID number', readOnly: true, sensitive: true },
    empNumber: { kind: 'text', label: 'Employee number', readOnly: true },
    employer: { kind: 'text', label: 'Employer', readOnly: true },
    type: { kind: 'text', label: 'Type', readOnly: true },
    status: { kind: 'choice', label: 'Status', readOnly: true, options: statusOptions },
    leadId: { kind: 'reference', label: 'Lead', to: 'lead', readOnly: true },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    location: { kind: 'text', label: 'Place', readOnly: true },
    lineone: { kind: 'text', label: 'Street', readOnly: true },
    city: { kind: 'text', label: 'Town', readOnly: true },
    state: { kind: 'text', label: 'Province or county', readOnly: true },
    postcode: { kind: 'text', label: 'Postcode', readOnly: true },
    country: { kind: 'text', label: 'Country', readOnly: true },
    latitude: { kind: 'number', label: 'Latitude', readOnly: true },
    longitude: { kind: 'number', label: 'Longitude', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Client since', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['fullName', 'phonenumber', 'status', 'employer', 'assignedUserId', 'tenantId', 'city', 'leadId', 'dateCreated'],
    search: ['firstName', 'lastName', 'phonenumber', 'emailAddress', 'idNumber', 'empNumber'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['status', 'type', 'city', 'employer', 'assignedUserId', 'tenantId', 'dateCreated'],
    dates: { created: { label: 'Client since', field: 'dateCreated', window: { kind: 'all' } } },
    empty: { title: 'No clients yet', body: 'A lead becomes a client when it is converted.' },
  },
})

import { defineResource } from '../../kernel/resource/define.ts'

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** A further number that a client is known by, beside the ID number. */
export const clientIdentifier = defineResource({
  model: 'clientIdentifier',
  one: 'clientIdentifier',
  many: 'clientIdentifiers',
  label: 'Identifier',
  labelMany: 'Identifiers',
  title: 'number',
  isScoped: true,
  fields: {
    kind: {
      kind: 'choice',
      label: 'Kind',
      required: true,
      options: options(['Passport', 'Driving licence', 'Tax number', 'Voter card', 'Alien card', 'Payroll number', 'Other']),
    },
    number: { kind: 'text', label: 'Number', required: true, maxLength: 40 },
    country: { kind: 'text', label: 'Country', maxLength: 60 },
  },
  list: { columns: ['kind', 'number', 'country'], sort: ['kind', 'ASC'], size: 100 },
})

/** A further way to reach a client. */
export const clientContact = defineResource({
  model: 'clientContact',
  one: 'clientContact',
  many: 'clientContacts',
  label: 'Contact',
  labelMany: 'Contacts',
  title: 'value',
  isScoped: true,
  fields: {
    kind: { kind: 'choice', label: 'Kind', required: true, options: options(['Phone', 'WhatsApp', 'Work phone', 'E-mail']) },
    value: { kind: 'text', label: 'Number or address', required: true, maxLength: 254 },
    note: { kind: 'text', label: 'Note', maxLength: 80 },
  },
  list: { columns: ['kind', 'value', 'note'], sort: ['kind', 'ASC'], size: 100 },
})

/** Where a client lives, works or gets post. */
export const clientAddress = defineResource({
  model: 'clientAddress',
  one: 'clientAddress',
  many: 'clientAddresses',
  label: 'Address',
  labelMany: 'Addresses',
  title: 'lineone',
  isScoped: true,
  fields: {
    kind: { kind: 'choice', label: 'Kind', required: true, options: options(['Home', 'Work', 'Business', 'Post', 'Rural home']) },
    lineone: { kind: 'text', label: 'Street', maxLength: 120 },
    city: { kind: 'text', label: 'Town', maxLength: 80 },
    state: { kind: 'text', label: 'Province or county', maxLength: 80 },
    postcode: { kind: 'text', label: 'Postcode', maxLength: 12 },
    country: { kind: 'text', label: 'Country', maxLength: 60 },
  },
  list: { columns: ['kind', 'lineone', 'city', 'state', 'postcode', 'country'], sort: ['kind', 'ASC'], size: 100 },
})

/** Next of kin and guarantors of a client. */
export const clientKin = defineResource({
  model: 'clientKin',
  one: 'clientKin',
  many: 'clientKins',
  label: 'Next of kin',
  labelMany: 'Next of kin',
  title: 'name',
  isScoped: true,
  fields: {
    name: { kind: 'personName', label: 'Name', required: true, maxLength: 60 },
    relationship: {
      kind: 'choice',
      label: 'Relationship',
      required: true,
      options: options(['Spouse', 'Parent', 'Child', 'Sibling', 'Relative', 'Friend', 'Employer', 'Other']),
    },
    phonenumber: { kind: 'phone', label: 'Phone' },
    idNumber: { kind: 'idNumber', label: 'ID number', sensitive: true },
    isGuarantor: { kind: 'boolean', label: 'Guarantor', defaultValue: false },
  },
  list: { columns: ['name', 'relationship', 'phonenumber', 'idNumber', 'isGuarantor'], sort: ['name', 'ASC'], size: 100 },
})

/** A paper of a client, and until when it holds. */
export const clientDocument = defineResource({
  model: 'clientDocument',
  one: 'clientDocument',
  many: 'clientDocuments',
  label: 'Document',
  labelMany: 'Documents',
  title: 'kind',
  isScoped: true,
  fields: {
    kind: {
      kind: 'choice',
      label: 'Kind',
      required: true,
      options: options([
        'ID card',
        'Passport',
        'Driving licence',
        'Work permit',
        'Payslip',
        'Proof of address',
        'Bank statement',
        'Business permit',
        'Other',
      ]),
    },
    number: { kind: 'text', label: 'Number', maxLength: 40 },
    issuedOn: { kind: 'date', label: 'Issued' },
    expiresOn: { kind: 'date', label: 'Expires' },
  },
  list: { columns: ['kind', 'number', 'issuedOn', 'expiresOn'], sort: ['kind', 'ASC'], size: 100 },
})

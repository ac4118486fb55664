import type { MergePart } from '../merge.ts'

/** Parts of a client that are merged as a whole; its lines (next of kin, documents and the like) always come along. */
export const clientParts = [
  { key: 'name', label: 'Name', fields: ['firstName', 'lastName'] },
  { key: 'phone', label: 'Phone', fields: ['phonenumber', 'trimmedPhonenumber'] },
  { key: 'email', label: 'E-mail', fields: ['emailAddress'] },
  { key: 'otherPhone', label: 'Other phone', fields: ['contactNumber'] },
  { key: 'idNumber', label: 'ID number', fields: ['idNumber'] },
  { key: 'birth', label: 'Date of birth', fields: ['dateOfBirth'] },
  { key: 'type', label: 'Type', fields: ['type'] },
  { key: 'employment', label: 'Employment', fields: ['employer', 'empNumber', 'jobTitle', 'employedSince'] },
  { key: 'place', label: 'Place', fields: ['location', 'lineone', 'city', 'state', 'postcode', 'country'] },
  { key: 'position', label: 'Position', fields: ['latitude', 'longitude'] },
  { key: 'notes', label: 'Notes', fields: ['notes'] },
  { key: 'agent', label: 'Agent', fields: ['assignedUserId'] },
] as const satisfies readonly MergePart[]

export const clientPartKeys = clientParts.map(({ key }) => key)

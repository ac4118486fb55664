import type { MergePart } from '../merge.ts'

/** Parts of a lead that are merged as a whole: fields that only make sense together form one part. */
export const leadParts = [
  { key: 'name', label: 'Name', fields: ['firstName', 'lastName'] },
  { key: 'phone', label: 'Phone', fields: ['phonenumber', 'trimmedPhonenumber'] },
  { key: 'email', label: 'E-mail', fields: ['emailAddress'] },
  { key: 'otherPhone', label: 'Other phone', fields: ['contactNumber'] },
  { key: 'idNumber', label: 'ID number', fields: ['idNumber'] },
  { key: 'employment', label: 'Employment', fields: ['employer', 'empNumber'] },
  { key: 'type', label: 'Type', fields: ['type'] },
  { key: 'place', label: 'Place', fields: ['location', 'lineone', 'city', 'state', 'postcode', 'country', 'countryCode', 'addressId'] },
  { key: 'position', label: 'Position', fields: ['latitude', 'longitude'] },
  { key: 'notes', label: 'Notes', fields: ['notes'] },
  { key: 'agent', label: 'Agent', fields: ['assignedUserId'] },
  { key: 'consent', label: 'Consent', fields: ['consentStatus', 'consentDate'] },
  {
    key: 'affordability',
    label: 'Affordability',
    fields: ['affordabilityOutcome', 'affordabilityDate', 'installmentAmount', 'totalAffordability'],
  },
] as const satisfies readonly MergePart[]

export const leadPartKeys = leadParts.map(({ key }) => key)

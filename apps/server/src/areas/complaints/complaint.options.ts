import type { Option } from '@outpost/contract/fields'

const optionsOf = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }))

export const channels = optionsOf(['Branch', 'Phone', 'E-mail', 'SMS', 'WhatsApp', 'Letter', 'Social media', 'Field visit', 'Regulator'])
export const categories = optionsOf([
  'Service',
  'Fees and charges',
  'Interest',
  'Disbursement',
  'Repayment not posted',
  'Collection conduct',
  'Staff conduct',
  'Fraud',
  'Privacy',
  'Credit bureau',
  'Insurance',
  'Other',
])
export const severityOptions: Option[] = [
  { value: 'Low', label: 'Low', colour: 'default' },
  { value: 'Medium', label: 'Medium', colour: 'blue' },
  { value: 'High', label: 'High', colour: 'orange' },
  { value: 'Critical', label: 'Critical', colour: 'red' },
]
export const outcomes = optionsOf(['Upheld', 'Partly upheld', 'Not upheld', 'Withdrawn', 'Settled as goodwill', 'Referred to the ombud'])
export const rootCauses = optionsOf([
  'Staff',
  'Process',
  'System',
  'Product',
  'Information given',
  'Third party',
  'Misunderstanding',
  'Unfounded',
])
/** How the client was informed. */
export const ways = [
  { value: 'phone', label: 'By phone' },
  { value: 'mail', label: 'By e-mail' },
  { value: 'sms', label: 'By SMS' },
  { value: 'visit', label: 'In person' },
  { value: 'post', label: 'By post' },
] as const

import { defineResource } from '../../kernel/resource/define.ts'
import { warningDays } from './policy.expiry.job.ts'

const statuses = [
  { value: 'Accepted', label: 'Accepted', colour: 'green' },
  { value: 'Declined', label: 'Declined', colour: 'red' },
  { value: 'Replaced', label: 'Replaced', colour: 'default' },
]

/** What was decided on an offer for an application, or the client's own policy in its place. */
export const insuranceChoice = defineResource({
  model: 'insuranceChoice',
  one: 'insuranceChoice',
  many: 'insuranceChoices',
  label: 'Insurance decision',
  labelMany: 'Insurance decisions',
  title: 'name',
  isScoped: true,
  fields: {
    name: { kind: 'text', label: 'Cover', readOnly: true },
    insurer: { kind: 'text', label: 'Insurer', readOnly: true },
    kind: {
      kind: 'choice',
      label: 'What',
      readOnly: true,
      options: [
        { value: 'Offer', label: 'Offer' },
        { value: 'Own policy', label: 'Own policy' },
      ],
    },
    status: { kind: 'choice', label: 'Decision', readOnly: true, options: statuses },
    premium: { kind: 'money', label: 'Premium', readOnly: true, currency: 'company' },
    reason: { kind: 'text', label: 'Reason', readOnly: true },
    policyNumber: { kind: 'text', label: 'Policy number', readOnly: true },
    sumInsured: { kind: 'money', label: 'Sum insured', readOnly: true, currency: 'company' },
    expiresOn: { kind: 'date', label: 'Policy until', readOnly: true },
    policyState: {
      kind: 'choice',
      label: 'Policy',
      readOnly: true,
      options: [
        { value: 'Valid', label: 'Valid', colour: 'green' },
        { value: 'Expires soon', label: 'Expires soon', colour: 'orange' },
        { value: 'Lapsed', label: 'Lapsed', colour: 'red' },
      ],
      sql: `case when t."status" <> 'Accepted' or t."expiresOn" is null then null when t."expiresOn" < (select ctx.today()) then 'Lapsed' when t."expiresOn" <= (select ctx.today()) + ${warningDays[0]} then 'Expires soon' else 'Valid' end`,
    },
    applicationId: { kind: 'reference', label: 'Application', to: 'loanApplication', readOnly: true },
    offerId: { kind: 'reference', label: 'Offer', to: 'insuranceOffer', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdByUserId: { kind: 'reference', label: 'By', to: 'user', readOnly: true, isCompanyWide: true },
    dateCreated: { kind: 'dateTime', label: 'At', readOnly: true },
  },
  list: {
    columns: [
      'name',
      'insurer',
      'kind',
      'status',
      'premium',
      'reason',
      'policyNumber',
      'expiresOn',
      'policyState',
      'applicationId',
      'createdByUserId',
      'dateCreated',
    ],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['status', 'kind', 'insurer', 'applicationId', 'offerId', 'expiresOn', 'policyState', 'dateCreated'],
    empty: { title: 'Nothing decided yet' },
  },
})

import { sql } from '@outpost/platform/db/sql'
import { staleAfterDays } from '@outpost/rules/leads/lead-stage'
import { leadStatuses, leadStatusNames } from '@outpost/rules/leads/lead-status'
import { commentAction } from '../../kernel/keeps/comments.ts'
import { defineResource, joined } from '../../kernel/resource/define.ts'
import { batched } from '../../kernel/resource/read/batched.ts'
import { leftStateFilter } from '../../kernel/workflow/left-state.ts'
import { queueAssignment } from './assigning/assignment.rules.ts'
import { ownWork } from './credit/lead.decision.ts'
import { leadWorkflow, referralWorkflow } from './lead.moves.ts'
import { prepareLead } from './lead.rules.ts'
import { leadNotFound, duplicateLead } from './lead.errors.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
export const statusOptions = leadStatusNames.map((value) => ({ value, label: value, colour: leadStatuses[value].colour }))
const consentColours = {
  'NONE PROVIDED': 'default',
  REQUESTED: 'gold',
  GRANTED: 'green',
  DECLINED: 'red',
  EXPIRED: 'default',
  WITHDRAWN: 'red',
}
export const consentOptions = Object.entries(consentColours).map(([value, colour]) => ({ value, label: value, colour }))
/** What a person is asked to agree to. */
export const consentPurposes = [
  { value: 'CREDIT_CHECK', label: 'Credit check' },
  { value: 'MARKETING', label: 'Marketing' },
]
const outcomeColours = { NONE: 'default', PASS: 'green', REFER: 'gold', 'REFER APPROVED': 'green', FAIL: 'red', EXPIRED: 'default' }
export const outcomeOptions = Object.entries(outcomeColours).map(([value, colour]) => ({ value, label: value, colour }))

/** Times are kept to the millisecond, so one of this very moment may round to just after it. */
const daysInStage = `greatest(0, floor(extract(epoch from now() - t."statusSince") / 86400))`
const stageLimit = `case t."status" ${Object.entries(staleAfterDays)
  .map(([status, days]) => `when '${status}' then ${days}`)
  .join(' ')} end`

/** A lead: a person who may become a client. Field names are the specification's. */
export const lead = defineResource({
  model: 'lead',
  one: 'lead',
  many: 'leads',
  label: 'Lead',
  labelMany: 'Leads',
  title: 'fullName',
  isScoped: true,
  isSoftDeleted: true,
  notFound: leadNotFound,
  hasSearchIndex: true,
  isSynced: true,
  offline: 'read-write',
  workflow: [leadWorkflow, referralWorkflow],
  keeps: ['comments', 'files'],
  fields: {
    fullName: { kind: 'text', label: 'Name', readOnly: true, ...joined('firstName', 'lastName') },
    firstName: { kind: 'personName', label: 'First name', required: true, maxLength: 20 },
    lastName: { kind: 'personName', label: 'Last name', required: true, maxLength: 60 },
    phonenumber: { kind: 'phone', label: 'Phone', required: true, help: 'A leading 0 and 9 digits, or an international number' },
    emailAddress: { kind: 'email', label: 'E-mail' },
    contactNumber: { kind: 'phone', label: 'Other phone' },
    idNumber: { kind: 'idNumber', label: 'ID number', sensitive: true, merge: 'ask' },
    empNumber: { kind: 'text', label: 'Employee number', maxLength: 40 },
    employer: { kind: 'text', label: 'Employer', maxLength: 120 },
    type: { kind: 'choice', label: 'Type', options: options(['Individual', 'Civil servant', 'Log book', 'SME']) },
    source: {
      kind: 'choice',
      label: 'Source',
      createOnly: true,
      defaultValue: 'UI',
      options: options(['UI', 'USSD', 'Walk-in', 'Referral', 'Campaign', 'Web form', 'Import']),
    },
    status: { kind: 'choice', label: 'Status', readOnly: true, given: 'New', merge: 'threeWay', options: statusOptions },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true, merge: 'threeWay', maxLength: 300 },
    statusSince: { kind: 'dateTime', label: 'In this status since', readOnly: true },
    daysInStage: { kind: 'number', label: 'Days in stage', readOnly: true, sql: `${daysInStage}::int` },
    stageAge: {
      kind: 'text',
      label: 'Time in stage',
      readOnly: true,
      sql: `case ${daysInStage} when 0 then 'Here since today' when 1 then '1 day here' else concat(${daysInStage}, ' days here') end`,
    },
    pace: {
      kind: 'choice',
      label: 'Pace',
      readOnly: true,
      options: [{ value: 'STALE', label: 'Stale', colour: 'orange' }],
      sql: `case when ${daysInStage} > ${stageLimit} then 'STALE' end`,
    },
    assignedUserId: { kind: 'reference', label: 'Assigned to', to: 'user', readOnly: true, merge: 'server' },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true, merge: 'server' },
    consentStatus: { kind: 'choice', label: 'Consent', readOnly: true, given: 'NONE PROVIDED', merge: 'server', options: consentOptions },
    consentDate: { kind: 'dateTime', label: 'Consent date', readOnly: true, merge: 'server' },
    affordabilityOutcome: {
      kind: 'choice',
      label: 'Affordability',
      readOnly: true,
      given: 'NONE',
      merge: 'server',
      options: outcomeOptions,
    },
    affordabilityDate: { kind: 'dateTime', label: 'Affordability date', readOnly: true, merge: 'server' },
    installmentAmount: { kind: 'money', label: 'Instalment', readOnly: true, merge: 'server' },
    totalAffordability: { kind: 'money', label: 'Affordable a month', readOnly: true, merge: 'server' },
    location: { kind: 'text', label: 'Place', maxLength: 200 },
    latitude: { kind: 'number', label: 'Latitude', min: -90, max: 999 },
    longitude: { kind: 'number', label: 'Longitude', min: -180, max: 999 },
    coordinates: {
      kind: 'json',
      label: 'Coordinates',
      readOnly: true,
      sql: `case when t."latitude" is null or t."longitude" is null then null else json_build_object('lat', t."latitude", 'lng', t."longitude") end`,
    },
    lineone: { kind: 'text', label: 'Street', maxLength: 120 },
    city: { kind: 'text', label: 'Town', maxLength: 80 },
    postcode: { kind: 'text', label: 'Postcode', maxLength: 12 },
    state: { kind: 'text', label: 'Province or county', maxLength: 80 },
    country: { kind: 'text', label: 'Country', maxLength: 60 },
    countryCode: { kind: 'text', label: 'Country code', maxLength: 6 },
    isOwnWork: { kind: 'boolean', label: 'Own work', readOnly: true, isFilterOnly: true, sql: ownWork },
    leftStatus: leftStateFilter({ one: 'lead', field: 'status', label: 'Left the status' }),
    clientId: {
      kind: 'reference',
      label: 'Client',
      to: 'client',
      readOnly: true,
      detailOnly: true,
      ...batched({ from: '(select * from client where "deletedAt" is null) c', alias: 'c', key: 'leadId' }, '(array_agg(c."id"))[1]'),
    },
    notes: { kind: 'longText', label: 'Notes', maxLength: 2_000, detailOnly: true },
    trimmedPhonenumber: { kind: 'text', label: 'Phone (international)', readOnly: true },
    addressId: { kind: 'text', label: 'Address', readOnly: true },
    contactChangedAt: { kind: 'dateTime', label: 'Phone or e-mail changed, to be confirmed', readOnly: true },
    contactChangedByUserId: { kind: 'reference', label: 'Changed by', to: 'user', readOnly: true, detailOnly: true },
    leadCreatedBy: { kind: 'text', label: 'Captured by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: {
      kind: 'reference',
      label: 'Captured by (person)',
      to: 'user',
      isCompanyWide: true,
      readOnly: true,
      given: { of: 'userId' },
    },
    dateCreated: { kind: 'dateTime', label: 'Captured', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'fullName',
      'phonenumber',
      'status',
      'daysInStage',
      'pace',
      'assignedUserId',
      'tenantId',
      'consentStatus',
      'affordabilityOutcome',
      'city',
      'source',
      'leadCreatedBy',
      'dateCreated',
    ],
    search: ['firstName', 'lastName', 'phonenumber', 'trimmedPhonenumber', 'emailAddress', 'idNumber', 'empNumber'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: [
      'status',
      'pace',
      'consentStatus',
      'affordabilityOutcome',
      'source',
      'type',
      'city',
      'assignedUserId',
      'tenantId',
      'createdByUserId',
      'dateCreated',
      'isOwnWork',
      'leftStatus',
    ],
    dates: {
      created: { label: 'Captured', field: 'dateCreated', window: { kind: 'week' } },
      consent: { label: 'Consent', field: 'consentDate', window: { kind: 'week' } },
      affordability: { label: 'Affordability', field: 'affordabilityDate', window: { kind: 'week' } },
    },
    empty: { title: 'No leads here yet', body: 'Capture the first one, or widen the dates and filters.' },
  },
  form: [
    ['firstName', 'lastName'],
    ['idNumber', 'type'],
    ['phonenumber', 'emailAddress'],
    ['contactNumber', 'source'],
    ['employer', 'empNumber'],
    ['lineone', 'city'],
    ['state', 'postcode'],
    ['location'],
    ['notes'],
  ],
  actions: [
    {
      route: 'leads.assignMany',
      label: 'Assign',
      scope: 'bulk',
      assign: { candidates: 'leads.assignees', undo: 'leads.undoAssignments', load: 'open leads' },
    },
    {
      route: 'leads.resendConsent',
      label: 'Ask for consent',
      scope: 'row',
      idField: 'leadId',
      visibleIf: { not: { eq: ['consentStatus', 'GRANTED'] } },
    },
    {
      open: '/clients/create?leadId=:Id',
      key: 'makeClient',
      label: 'Make a client',
      scope: 'row',
      offline: true,
      visibleIf: { eq: ['status', 'Approved'] },
    },
    { route: 'leads.assignByRule', label: 'Assign by rule', scope: 'bulk', idField: 'ids', many: true },
    {
      route: 'leads.withdrawConsent',
      label: 'Withdraw consent',
      scope: 'row',
      idField: 'id',
      danger: true,
      visibleIf: { eq: ['consentStatus', 'GRANTED'] },
      form: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300, help: 'In the words of the client' } },
    },
    {
      route: 'leads.resendConsent',
      key: 'leads.askMarketing',
      label: 'Ask about marketing',
      scope: 'row',
      idField: 'leadId',
      fixed: { purpose: 'MARKETING' },
      confirm: { title: 'Ask for consent to marketing?', body: 'The law allows to ask once. A no is final.' },
    },
    {
      route: 'leads.confirmContact',
      label: 'Confirm phone and e-mail',
      scope: 'row',
      idField: 'id',
      visibleIf: { not: { eq: ['contactChangedAt', null] } },
      form: { reason: { kind: 'text', label: 'How did you make sure?', required: true, maxLength: 300 } },
    },
    commentAction('leads.comment'),
    { route: 'leads.generatePdf', label: 'Application as PDF', scope: 'row', idField: 'pdfData', download: true },
    bulkDeleteAction('leads.remove', { title: 'Delete the chosen leads?' }, 'leads.restore'),
  ],
  duplicates: {
    columns: ['trimmedPhonenumber', 'emailAddress', 'idNumber'],
    typed: { trimmedPhonenumber: 'phonenumber' },
    onDevice: ['trimmedPhonenumber', 'emailAddress'],
    error: duplicateLead,
    find: (values) => sql`select id, "tenantId", "column", value from search.lead_duplicate(
      ${values['trimmedPhonenumber'] ?? []}::text[], ${values['emailAddress'] ?? []}::text[], ${values['idNumber'] ?? []}::text[])`,
  },
  held: {
    find: (_, ids) => sql`select id, clients, applications from search.lead_running(${ids}::uuid[]) where clients + applications > 0`,
    message: ({ clients, applications }) =>
      clients === 0
        ? `This lead has ${Number(applications)} open ${applications === 1 ? 'application' : 'applications'}. Bring that to its end first.`
        : 'This lead became a client, who is still there. Delete the client first.',
  },
  prepare: (ctx, write) => {
    const values = prepareLead(ctx, write)
    if (write.kind === 'create') queueAssignment(ctx, write.id)
    return values
  },
})

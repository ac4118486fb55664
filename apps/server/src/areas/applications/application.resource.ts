import { commentAction, commentCount } from '../../kernel/keeps/comments.ts'
import { fileCount } from '../../kernel/keeps/files.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { nameText } from '../../kernel/names.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { leftState } from '../../kernel/workflow/left-state.ts'
import { collateral, guarantor, paper } from './application.lines.ts'
import { applicationStates, applicationWorkflow, ownWork } from './application.moves.ts'
import { prepareApplication } from './application.rules.ts'

const money = (label: string) => ({ kind: 'money', label, currency: 'company', readOnly: true }) as const

/** A loan that a lead or a client asks for, at the terms of a product's version that it pins. */
export const application = defineResource({
  model: 'loanApplication',
  one: 'application',
  many: 'applications',
  label: 'Loan application',
  labelMany: 'Loan applications',
  title: 'applicationNumber',
  isScoped: true,
  isSoftDeleted: true,
  keeps: ['comments', 'files'],
  workflow: applicationWorkflow,
  fields: {
    applicationNumber: recordNumber({ prefix: 'A-', digits: 5 }),
    applicant: {
      kind: 'text',
      label: 'Applicant',
      readOnly: true,
      sql: `coalesce((select ${nameText('c')} from client c where c."companyId" = t."companyId" and c."id" = t."clientId"), (select ${nameText('l')} from lead l where l."companyId" = t."companyId" and l."id" = t."leadId"))`,
    },
    leadId: { kind: 'reference', label: 'Lead', to: 'lead' },
    clientId: { kind: 'reference', label: 'Client', to: 'client' },
    productId: { kind: 'reference', label: 'Product', to: 'product', required: true },
    productVersionId: { kind: 'reference', label: 'Terms', to: 'productVersion', readOnly: true },
    amount: { kind: 'money', label: 'Amount', currency: 'company', required: true, min: 0.01, max: 999_999_999_999 },
    instalments: { kind: 'number', label: 'Instalments', required: true, min: 1, max: 600 },
    firstDueAt: { kind: 'date', label: 'First instalment due', help: 'Empty: one period after the payout' },
    purpose: { kind: 'text', label: 'Purpose', maxLength: 300 },
    ownerUserId: { kind: 'reference', label: 'Officer', to: 'user', given: { of: 'userId' } },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      given: 'Draft',
      options: Object.entries(applicationStates).map(([value, { colour }]) => ({ value, label: value, colour })),
    },
    isOwnWork: { kind: 'boolean', label: 'Own work', readOnly: true, isFilterOnly: true, sql: ownWork },
    leftStatus: leftState({ one: 'application', field: 'status', label: 'Left the status' }),
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    decisionNote: { kind: 'longText', label: 'Decision note', readOnly: true, detailOnly: true },
    guarantors: { kind: 'lines', label: 'Guarantors', of: guarantor, by: 'applicationId', max: 20 },
    collateral: { kind: 'lines', label: 'Collateral', of: collateral, by: 'applicationId', max: 30 },
    papers: { kind: 'lines', label: 'Papers', of: paper, by: 'applicationId', max: 50 },
    affordabilityRunId: { kind: 'reference', label: 'Assessment', to: 'affordabilityRun', readOnly: true },
    assessmentOutcome: {
      kind: 'text',
      label: 'Outcome of the assessment',
      readOnly: true,
      sql: `select r."outcome" from affordability_run r where r."companyId" = t."companyId" and r."id" = t."affordabilityRunId"`,
    },
    affordable: {
      ...money('Affordable a month'),
      sql: `(select r."affordable" from affordability_run r where r."companyId" = t."companyId" and r."id" = t."affordabilityRunId")::float8`,
    },
    instalment: money('Instalment'),
    paidOut: money('Paid out'),
    totalPaid: money('Paid in all'),
    totalCost: money('Total cost of credit'),
    aprEffective: { kind: 'percent', label: 'Annual rate, effective', readOnly: true },
    aprNominal: { kind: 'percent', label: 'Annual rate, nominal', readOnly: true },
    quotedAt: { kind: 'dateTime', label: 'Quoted', readOnly: true },
    comments: commentCount('application'),
    files: fileCount('application'),
    submittedAt: { kind: 'dateTime', label: 'Submitted', readOnly: true },
    decidedAt: { kind: 'dateTime', label: 'Decided', readOnly: true },
    decidedByUserId: { kind: 'reference', label: 'Decided by', to: 'user', readOnly: true, isCompanyWide: true },
    expiresAt: { kind: 'dateTime', label: 'Open until', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdByUserId: { kind: 'reference', label: 'Made by', to: 'user', readOnly: true, isCompanyWide: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['applicationNumber', 'applicant', 'productId', 'amount', 'instalments', 'instalment', 'status', 'ownerUserId', 'tenantId', 'dateCreated'],
    search: ['applicationNumber', 'applicant', 'purpose'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['status', 'productId', 'ownerUserId', 'tenantId', 'leadId', 'clientId', 'amount', 'dateCreated', 'submittedAt', 'decidedAt', 'leftStatus', 'isOwnWork'],
    dates: {
      made: { label: 'Made', field: 'dateCreated', window: { kind: 'all' } },
      submitted: { label: 'Submitted', field: 'submittedAt', window: { kind: 'week' } },
      decided: { label: 'Decided', field: 'decidedAt', window: { kind: 'week' } },
    },
    empty: { title: 'No applications here', body: 'Make one for a lead or a client who asks for a loan.' },
  },
  form: [
    ['clientId', 'leadId'],
    ['productId', 'purpose'],
    ['amount', 'instalments'],
    ['firstDueAt', 'ownerUserId'],
    ['guarantors'],
    ['collateral'],
    ['papers'],
  ],
  actions: [
    commentAction('applications.comment'),
    {
      route: 'applications.remove',
      label: 'Delete',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      danger: true,
      undo: 'applications.restore',
      confirm: { title: 'Delete the chosen applications?', body: 'Only drafts are deleted; others are withdrawn.' },
    },
  ],
  prepare: prepareApplication,
})

import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { anySession } from '../../kernel/area.ts'
import { bucket, buckets, daysPastDue, overdue } from '../loans/index.ts'
import { outcomes } from './contact.resource.ts'
import { channels } from '../messages/index.ts'
import { dunningActions } from './dunning.resource.ts'

const nextStep = (column: string) => `(select s.${column} from dunning_step s where s."companyId" = t."companyId"
  and s."id" = ctx.next_dunning_step(t."companyId", t."id", t."productVersionId", t."unpaidSince", (select ctx.today())))`
const ofClient = (column: string) => `(select c.${column} from client c where c."companyId" = t."companyId" and c."id" = t."clientId")`
const lastContact = (column: string) =>
  `(select c.${column} from loan_contact c where c."companyId" = t."companyId" and c."loanId" = t."id" order by c."dateCreated" desc limit 1)`
const openPromise = (column: string) =>
  `(select p.${column} from payment_promise p where p."companyId" = t."companyId" and p."loanId" = t."id" and p."status" = 'Open' and p."deletedAt" is null order by p."dueOn" limit 1)`

/** A late loan as those who collect see it: what is next, and whom to reach. Officers see theirs, who decides on credit all within reach. */
export const collection = defineResource({
  model: 'loan',
  one: 'collection',
  many: 'collections',
  label: 'Late loan',
  labelMany: 'Collections',
  title: 'clientName',
  isScoped: true,
  isSoftDeleted: true,
  fields: {
    clientName: {
      kind: 'text',
      label: 'Client',
      readOnly: true,
      sql: `concat_ws(' ', ${ofClient('"firstName"')}, ${ofClient('"lastName"')})`,
    },
    loanNumber: {
      kind: 'text',
      label: 'Loan',
      readOnly: true,
      sql: `'L-' || lpad(t."number"::text, greatest(6, length(t."number"::text)), '0')`,
    },
    nextAction: { kind: 'choice', label: 'Next', readOnly: true, options: dunningActions, sql: nextStep('"action"') },
    instruction: { kind: 'text', label: 'How', readOnly: true, sql: nextStep('"instruction"') },
    overdue: { kind: 'money', label: 'Overdue', readOnly: true, sql: overdue },
    daysPastDue: { kind: 'number', label: 'Days past due', readOnly: true, sql: daysPastDue },
    bucket: {
      kind: 'choice',
      label: 'Arrears',
      readOnly: true,
      sql: bucket,
      options: buckets.map(({ value }) => ({ value, label: value, colour: 'default' })),
    },
    phonenumber: { kind: 'phone', label: 'Phone', readOnly: true, sql: ofClient('"phonenumber"') },
    promisedOn: { kind: 'date', label: 'Promised by', readOnly: true, sql: openPromise('"dueOn"') },
    promised: { kind: 'money', label: 'Promised', readOnly: true, sql: openPromise('"amount"') },
    lastContact: { kind: 'dateTime', label: 'Last contact', readOnly: true, sql: lastContact('"dateCreated"') },
    lastOutcome: { kind: 'choice', label: 'What came of it', readOnly: true, options: outcomes, sql: lastContact('"outcome"') },
    instalment: { kind: 'money', label: 'Instalment', readOnly: true },
    clientId: { kind: 'reference', label: 'Client record', to: 'client', readOnly: true },
    officerUserId: { kind: 'reference', label: 'Officer', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    unpaidSince: { kind: 'date', label: 'Oldest unpaid instalment', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
  },
  list: {
    columns: [
      'clientName',
      'nextAction',
      'overdue',
      'daysPastDue',
      'phonenumber',
      'promisedOn',
      'lastContact',
      'lastOutcome',
      'loanNumber',
      'instruction',
      'officerUserId',
      'tenantId',
    ],
    search: ['clientName', 'loanNumber'],
    sort: ['daysPastDue', 'DESC'],
    size: 1_000,
    filters: ['nextAction', 'bucket', 'daysPastDue', 'overdue', 'promisedOn', 'lastOutcome', 'officerUserId', 'tenantId'],
    empty: { title: 'Nobody is late', body: 'Loans with an unpaid instalment are listed here, the latest first.' },
  },
  actions: [
    {
      route: 'collections.contact',
      label: 'Done',
      scope: 'row',
      form: {
        action: { kind: 'choice', label: 'What was done', required: true, options: dunningActions },
        outcome: { kind: 'choice', label: 'What came of it', required: true, options: outcomes },
        note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
      },
    },
    { key: 'call', label: 'Call', open: 'tel::phonenumber', scope: 'row', access: anySession },
    { key: 'text', label: 'Write SMS', open: 'sms::phonenumber', scope: 'row', access: anySession },
    {
      route: 'collections.message',
      label: 'Send a message',
      scope: 'row',
      form: {
        channel: { kind: 'choice', label: 'How', required: true, defaultValue: 'sms', options: channels.map((one) => ({ ...one })) },
        text: { kind: 'longText', label: 'Text', required: true, maxLength: 480 },
      },
    },
    { key: 'promise', label: 'Promise to pay', open: '/loans/promises/create?loanId=:Id', scope: 'row' },
    {
      route: 'collections.visit',
      label: 'Plan a visit',
      scope: 'row',
      form: {
        startDate: { kind: 'dateTime', label: 'When', required: true },
        note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
      },
    },
    { key: 'loan', label: 'Open loan', open: '/loans/accounts/:Id/view', scope: 'row' },
  ],
  visible: (ctx) => {
    const late = sql`t."status" = 'Active' and t."unpaidSince" < (select ctx.today())`
    return holdsAny(ctx, 'LOAN/DISBURSEMENTS') ? late : sql`${late} and t."officerUserId" = ${ctx.user.id}::uuid`
  },
})

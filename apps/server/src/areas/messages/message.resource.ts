import { sql } from '@outpost/platform/db/sql'
import { defineResource, resourceNamed } from '../../kernel/resource/define.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { Ctx } from '../../kernel/types.ts'

export const channels = [
  { value: 'mail', label: 'E-mail', colour: 'blue' },
  { value: 'sms', label: 'SMS', colour: 'green' },
] as const
export type Channel = (typeof channels)[number]['value']

const kinds = [
  { value: 'receipt', label: 'Receipt' },
  { value: 'complaint', label: 'About a complaint' },
  { value: 'reminder', label: 'About arrears' },
]
const statuses = [
  { value: 'Waiting', label: 'Waiting', colour: 'gold' },
  { value: 'Sent', label: 'Sent', colour: 'green' },
  { value: 'Failed', label: 'Failed', colour: 'red' },
]

/** A mail or SMS to a client and what became of it. Written by the program alone; what is about a complaint is seen by whoever sees the complaint. */
export const clientMessage = defineResource({
  model: 'clientMessage',
  one: 'clientMessage',
  many: 'clientMessages',
  label: 'Message',
  labelMany: 'Messages',
  title: 'subject',
  isScoped: true,
  visible: seenByComplaint,
  hiddenFrom: ['hiddenFromUserId'],
  fields: {
    subject: { kind: 'text', label: 'Subject', readOnly: true },
    kind: { kind: 'choice', label: 'What', readOnly: true, options: kinds },
    channel: { kind: 'choice', label: 'By', readOnly: true, options: channels.map((one) => ({ ...one })) },
    status: { kind: 'choice', label: 'State', readOnly: true, options: statuses },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    sentTo: { kind: 'text', label: 'To', readOnly: true },
    text: { kind: 'longText', label: 'Text', readOnly: true, detailOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    paymentId: { kind: 'reference', label: 'Payment', to: 'payment', readOnly: true },
    complaintId: { kind: 'reference', label: 'Complaint', to: 'complaint', readOnly: true },
    attempts: { kind: 'number', label: 'Tries', readOnly: true },
    sentAt: { kind: 'dateTime', label: 'Sent', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Written by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Written by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Written', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'subject',
      'channel',
      'status',
      'statusReason',
      'sentTo',
      'dateCreated',
      'kind',
      'clientId',
      'paymentId',
      'sentAt',
      'createdBy',
      'tenantId',
    ],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['status', 'channel', 'kind', 'clientId', 'paymentId', 'complaintId', 'tenantId', 'dateCreated'],
    dates: { written: { label: 'Written', field: 'dateCreated', window: { kind: 'all' } } },
    empty: { title: 'Nothing was sent yet', body: 'Receipts and letters to clients are listed here, with what became of each.' },
  },
  actions: [
    {
      route: 'clientMessages.resend',
      label: 'Send again',
      scope: 'row',
      visibleIf: { in: ['status', ['Sent', 'Failed']] },
      confirm: { title: 'Send this message again?', body: 'The same text goes to the same address.' },
    },
  ],
  prepare: async (ctx, { before }) =>
    before?.complaintId ? { hiddenFromUserId: (await accusedOf(ctx, [before.complaintId])).get(before.complaintId) ?? null } : {},
})

/** Whom complaints are about, where they are about somebody. */
export async function accusedOf(ctx: Ctx, complaintIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (complaintIds.length === 0) return new Map()
  const rows = await ctx.sql.query<{ id: string; accusedUserId: string }>(sql`
    select "id", "accusedUserId" from complaint where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...complaintIds]}::uuid[]) and "accusedUserId" is not null`)
  return new Map(rows.map(({ id, accusedUserId }) => [id, accusedUserId]))
}

/** What a complaint is hidden from somebody for, its letters would tell. */
function seenByComplaint(ctx: Ctx) {
  const complaint = resourceNamed('complaint')
  if (!complaint) return sql`t."complaintId" is null`
  return sql`(t."complaintId" is null or t."complaintId" in (select s."id" from (select t."id" from complaint t where ${visibleRows(ctx, complaint)}) s))`
}

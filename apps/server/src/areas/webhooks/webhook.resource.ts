import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import type { ActionDefinition } from '../../kernel/types.ts'
import { prepareWebhook, type WebhookFacts } from './webhook.rules.ts'

const count = (status: string) => `select count(*)::int from webhook_delivery d
  where d."companyId" = t."companyId" and d."webhookId" = t."id" and d."status" = '${status}'`

/** What became of it; nobody sets these in a form. */
const state = {
  isActive: { kind: 'boolean', label: 'Active', readOnly: true },
  stoppedReason: { kind: 'text', label: 'Switched off because', readOnly: true },
  failingSince: { kind: 'dateTime', label: 'Failing since', readOnly: true },
  waitingCount: { kind: 'number', label: 'Waiting', readOnly: true, sql: count('waiting') },
  failedCount: { kind: 'number', label: 'Failed', readOnly: true, sql: count('failed') },
  ownerUserId: { kind: 'reference', label: 'With the rights of', to: 'user', readOnly: true },
  worksInTenantId: { kind: 'reference', label: 'Working in', to: 'tenant', readOnly: true },
  secretToldAt: { kind: 'dateTime', label: 'Secret shown', readOnly: true },
  formerUntil: { kind: 'dateTime', label: 'Old secret ends', readOnly: true },
  dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
} as const

const actions: readonly ActionDefinition[] = [
  {
    route: 'webhooks.newSecret',
    label: 'New secret',
    scope: 'row',
    reveals: {
      value: 'secret',
      title: 'The new secret',
      body: 'Copy it now into the other system, which checks signatures with it. It is not shown again.',
    },
    form: {
      overlapHours: { kind: 'number', label: 'Hours that the old secret goes on', required: true, defaultValue: 24, min: 0, max: 168 },
    },
  },
  { route: 'webhooks.test', label: 'Send a test', scope: 'row' },
  { route: 'webhooks.pause', label: 'Pause', scope: 'row', visibleIf: { eq: ['isActive', true] } },
  { route: 'webhooks.resume', label: 'Resume', scope: 'row', visibleIf: { eq: ['isActive', false] } },
  {
    route: 'webhooks.remove',
    label: 'Delete',
    scope: 'bulk',
    idField: 'ids',
    many: true,
    danger: true,
    undo: 'webhooks.restore',
    confirm: {
      title: 'Delete the chosen webhooks?',
      body: 'Nothing is sent to them any more, and what happens meanwhile is not kept for them.',
    },
  },
]

/** An address of another system that receives events of records, with the rights and the reach of who saved it last. */
export const webhookResource = (facts: WebhookFacts) =>
  defineResource({
    model: 'webhook',
    one: 'webhook',
    many: 'webhooks',
    label: 'Webhook',
    labelMany: 'Webhooks',
    title: 'name',
    writtenBy: 'prepared',
    isSoftDeleted: true,
    fields: {
      name: { kind: 'text', label: 'Name', required: true, maxLength: 60, help: 'What the other system is called' },
      url: { kind: 'text', label: 'Address', required: true, maxLength: 500, help: 'Where it listens, beginning with https://' },
      events: {
        kind: 'multiChoice',
        label: 'Events',
        required: true,
        help: 'It gets what you may see, as you see it. Whoever saves the webhook puts their own rights in place of yours.',
        options: [...facts.offers.values()].map(({ event: value, label }) => ({ value, label })),
      },
      ...state,
    },
    list: {
      columns: ['name', 'url', 'events', 'isActive', 'waitingCount', 'failedCount', 'ownerUserId', 'dateCreated'],
      sort: ['dateCreated', 'DESC'],
      size: 100,
      filters: ['name', 'isActive', 'dateCreated'],
      empty: { title: 'No webhooks yet', body: 'Add one for each system that must know at once when something happens here.' },
    },
    form: [['name', 'url'], ['events']],
    actions,
    visible: (ctx) => (ctx.scope === '*' ? null : sql`t."worksInTenantId" = any(${ctx.scope}::uuid[])`),
    prepare: (ctx, write) => prepareWebhook(facts, ctx, write),
  })

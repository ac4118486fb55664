import { openOutgoing } from '@outpost/platform/outgoing'
import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { emptyAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { Area, PanelDefinition } from '../../kernel/types.ts'
import { collect } from './collect.ts'
import { offersOf } from './events.ts'
import { sendDelivery } from './send.job.ts'
import * as handle from './webhook.handlers.ts'
import { webhookResource } from './webhook.resource.ts'

const [see, add, edit, drop] = [may('ADMIN/API'), may('ADMIN/API/CREATE'), may('ADMIN/API/EDIT'), may('ADMIN/API/DELETE')]
const own = { own: true }
/** It goes on sending when the session is over: nobody sets it up in another's name. */
const inPerson = { own: true, inPerson: true }
const sending = { ...inPerson, limit: 60 }

const statuses = [{ value: 'waiting', label: 'Waiting', colour: 'gold' }, { value: 'sent', label: 'Sent', colour: 'green' }, { value: 'failed', label: 'Failed', colour: 'red' }, { value: 'skipped', label: 'Not sent' }]
const deliveriesPanel: PanelDefinition = {
  key: 'deliveries',
  title: 'Deliveries',
  route: 'webhooks.deliveries',
  value: 'deliveries',
  fields: {
    event: { kind: 'text', label: 'Event' },
    status: { kind: 'choice', label: 'Status', options: statuses },
    attempts: { kind: 'number', label: 'Attempts' },
    statusCode: { kind: 'number', label: 'Answer' },
    nextAt: { kind: 'dateTime', label: 'Next attempt' },
    durationMs: { kind: 'number', label: 'Milliseconds' },
    lastError: { kind: 'text', label: 'What went wrong' },
    dateCreated: { kind: 'dateTime', label: 'Happened' },
    recordId: { kind: 'text', label: 'Record' },
  },
  actions: [
    { route: 'webhooks.replayFailed', label: 'Replay all failed', scope: 'page' },
    { route: 'webhookDeliveries.replay', label: 'Replay', scope: 'row' },
  ],
  empty: { title: 'Nothing was sent yet', body: 'Send a test, or wait until something happens.' },
}
const attemptsPanel: PanelDefinition = {
  key: 'attempts',
  title: 'Attempts',
  route: 'webhooks.attempts',
  value: 'attempts',
  fields: {
    at: { kind: 'dateTime', label: 'At' },
    event: { kind: 'text', label: 'Event' },
    statusCode: { kind: 'number', label: 'Answer' },
    durationMs: { kind: 'number', label: 'Milliseconds' },
    error: { kind: 'text', label: 'What went wrong' },
    deliveryId: { kind: 'text', label: 'Message' },
  },
  empty: { title: 'Nothing was sent yet' },
}

/** Other systems that receive events of the records of the `areas`, as far as the owner of each webhook may see them. */
export function webhooksArea({ env }: { env: { WEBHOOK_HOSTS: readonly string[] } }, areas: readonly Area[]): Area {
  const hosts = env.WEBHOOK_HOSTS
  const outgoing = openOutgoing({ reach: 'public', hosts, limitMs: 10_000, maxResponseSize: 64_000 })
  const offers = offersOf(areas)
  const webhook = webhookResource({ offers, outgoing, hosts })
  return defineArea({
    name: 'webhooks',
    resources: [webhook],
    listeners: [collect],
    jobs: [sendDelivery({ offers, outgoing })],
    routes: [
      route('webhooks.list', 'GET', '/api/webhooks', see, list(webhook), own),
      route('webhooks.get', 'GET', '/api/webhooks/:id', see, get(webhook), own),
      route('webhooks.timeline', 'GET', '/api/webhooks/:id/timeline', see, history(webhook, { acts: { 'webhook.secret': 'Secret made', 'webhook.pause': 'Paused', 'webhook.resume': 'Resumed', 'webhook.replay': 'Sent again', 'webhook.stop': 'Switched off' } }), own),
      route('webhooks.deliveries', 'GET', '/api/webhooks/:id/deliveries', see, query(idInput, handle.deliveries(webhook), handle.deliveriesAnswer), own),
      route('webhooks.attempts', 'GET', '/api/webhooks/:id/attempts', see, query(idInput, handle.attempts(webhook), handle.attemptsAnswer), own),
      route('webhooks.create', 'POST', '/api/webhooks', add, create(webhook), inPerson),
      route('webhooks.remove', 'POST', '/api/webhooks/delete', drop, remove(webhook), inPerson),
      route('webhooks.restore', 'POST', '/api/webhooks/restore', drop, restore(webhook), inPerson),
      route('webhooks.update', 'PUT', '/api/webhooks/:id', edit, update(webhook), inPerson),
      route('webhooks.newSecret', 'POST', '/api/webhooks/:id/secret', edit, command(handle.newSecretInput, handle.newSecret(webhook), handle.newSecretAnswer), sending),
      route('webhooks.test', 'POST', '/api/webhooks/:id/test', edit, command(idInput, handle.test(webhook), handle.queuedAnswer), sending),
      route('webhooks.pause', 'POST', '/api/webhooks/:id/pause', edit, command(idInput, handle.pause(webhook), emptyAnswer), inPerson),
      route('webhooks.resume', 'POST', '/api/webhooks/:id/resume', edit, command(idInput, handle.resume(webhook), emptyAnswer), inPerson),
      route('webhooks.replayFailed', 'POST', '/api/webhooks/:id/replay-failed', edit, command(idInput, handle.replayFailed(webhook), handle.queuedAnswer), sending),
      route('webhookDeliveries.replay', 'POST', '/api/webhook-deliveries/:id/replay', edit, command(idInput, handle.replay(webhook), handle.queuedAnswer), sending),
    ],
    screens: [
      screen('/admin/webhooks/list', see, listOf(webhook, { source: 'webhooks.list' }), { menu: { under: 'administration', label: 'Webhooks', icon: 'api', order: 5 } }),
      screen('/admin/webhooks/add', add, formOf(webhook)),
      screen('/admin/webhooks/edit/:id', edit, formOf(webhook)),
      screen('/admin/webhooks/view/:id', see, detailOf(webhook, { panels: [deliveriesPanel, attemptsPanel] })),
    ],
  })
}

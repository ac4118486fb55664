import { defineArea, may, route } from '../../kernel/area.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, get, list } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { Area } from '../../kernel/types.ts'
import type { Machine } from '../../machine.ts'
import { clientMessage } from './message.resource.ts'
import { sendMessageJob } from './send.job.ts'
import { resendMessage } from './message-clients.ts'

const [see, work] = [may('CLIENTS'), may('CLIENTS/EDIT')]
const own = { own: true }

/** Mails and SMS to clients: written by other areas, sent by the outbox, listed with what became of each. */
export const messagesArea = ({ mail, env }: Pick<Machine, 'mail' | 'env'>): Area => defineArea({
  name: 'messages',
  resources: [clientMessage],
  jobs: [sendMessageJob({ mail, smsDomain: env.SMS_MAIL_DOMAIN })],
  routes: [
    route('clientMessages.list', 'GET', '/api/client-messages', see, list(clientMessage), own),
    route('clientMessages.get', 'GET', '/api/client-messages/:id', see, get(clientMessage), own),
    route('clientMessages.resend', 'POST', '/api/client-messages/:id/resend', work, command(idInput, resendMessage, recordAnswer(clientMessage)), { own: true, limit: 30, summary: 'Sends a message to a client once more' }),
  ],
  timeline: [{ on: 'client', resource: clientMessage, anyOf: ['CLIENTS'], where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 't."createdByUserId"', what: `case when t."channel" = 'sms' then 'SMS' else 'E-mail' end || ' to the client, ' || lower(t."status")`, detail: 't."subject"' }],
  panels: [
    on('client', by(clientMessage, 'clientId')),
    on('payment', by(clientMessage, 'paymentId')),
  ],
  screens: [
    screen('/clients/messages', see, listOf(clientMessage, { source: 'clientMessages.list' }), { menu: { under: 'clients', label: 'Messages', icon: 'mail', order: 35 } }),
    screen('/clients/messages/:id/view', see, detailOf(clientMessage, { overrides: { sections: [
      { rows: [['subject'], ['status', 'statusReason'], ['channel', 'sentTo'], ['text']] },
      { title: 'Course', rows: [['kind', 'clientId'], ['paymentId', 'complaintId'], ['createdBy', 'dateCreated'], ['sentAt', 'attempts'], ['tenantId']] },
    ] } })),
  ],
})

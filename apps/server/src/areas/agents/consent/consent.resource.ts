import { nameText } from '../../../kernel/names.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { userInReach } from '../../../kernel/session/reach.ts'
import { sql } from '@outpost/platform/db/sql'

const ofPerson = (value: string) => `select ${value} from app_user u where u."companyId" = t."companyId" and u."id" = t."userId"`

/** Whether a person's phone may be followed in working time: asked by the office, answered by the person alone. */
export const trackingConsent = defineResource({
  model: 'trackingConsent',
  one: 'trackingConsent',
  many: 'trackingConsents',
  label: 'Consent to be followed',
  labelMany: 'Consents to be followed',
  title: 'personName',
  fields: {
    personName: { kind: 'text', label: 'Person', readOnly: true, sql: ofPerson(nameText('u')) },
    status: {
      kind: 'choice',
      label: 'Answer',
      readOnly: true,
      options: [
        { value: 'Asked', label: 'No answer yet', colour: 'orange' },
        { value: 'Given', label: 'Given', colour: 'green' },
        { value: 'Declined', label: 'Declined', colour: 'red' },
        { value: 'Withdrawn', label: 'Withdrawn', colour: 'red' },
      ],
    },
    userId: { kind: 'reference', label: 'Person (user)', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch or team', to: 'tenant', readOnly: true },
    askedAt: { kind: 'dateTime', label: 'Asked', readOnly: true },
    askedByUserId: { kind: 'reference', label: 'Asked by', to: 'user', readOnly: true },
    answeredAt: { kind: 'dateTime', label: 'Answered', readOnly: true },
    givenAt: { kind: 'dateTime', label: 'Followed from', readOnly: true },
    textVersion: { kind: 'number', label: 'Version of the text', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'First asked or answered', readOnly: true },
  },
  list: {
    columns: ['personName', 'status', 'tenantId', 'askedAt', 'askedByUserId', 'answeredAt', 'givenAt'],
    search: ['personName'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['status', 'tenantId', 'userId'],
    empty: { title: 'Nobody was asked yet', body: 'Phones of people are followed in working time and with their consent alone. Ask them.' },
  },
  actions: [
    {
      route: 'trackingConsents.ask',
      label: 'Ask everybody in the field',
      scope: 'page',
      confirm: {
        title: 'Ask everybody who was not asked yet?',
        body: 'They find the question in their notifications and answer it in their profile.',
      },
    },
  ],
  visible: (ctx) =>
    sql`exists (select from app_user u where u."companyId" = t."companyId" and u."id" = t."userId" and ${userInReach(ctx, 'u')})`,
})

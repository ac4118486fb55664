import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'

/** Work beside requests that failed on every try; what it was about is in `payload`, as ids. */
export const deadJob = defineResource({
  model: 'outbox',
  one: 'job',
  many: 'jobs',
  label: 'Job that failed',
  labelMany: 'Jobs that failed',
  title: 'type',
  fields: {
    type: { kind: 'text', label: 'Job', readOnly: true },
    lastError: { kind: 'longText', label: 'What went wrong', readOnly: true },
    attempt: { kind: 'number', label: 'Attempts', readOnly: true },
    userId: { kind: 'reference', label: 'Asked for by', to: 'user', readOnly: true },
    payload: { kind: 'json', label: 'About', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Asked for', readOnly: true },
  },
  list: {
    columns: ['type', 'lastError', 'attempt', 'userId', 'dateCreated'],
    search: ['type', 'lastError'],
    sort: ['dateCreated', 'DESC'],
    size: 500,
    filters: ['type', 'userId', 'dateCreated'],
    dates: { asked: { label: 'Asked for', field: 'dateCreated', window: { kind: 'all' } } },
    empty: {
      title: 'Every job did its work',
      body: 'What fails on five tries is listed here, to be tried again when its cause is mended.',
    },
  },
  visible: () => sql`t."status" = 'dead'`,
  actions: [
    {
      route: 'jobs.replay',
      label: 'Try again',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      confirm: { title: 'Try the chosen jobs again?', body: 'Each gets five new tries.' },
    },
  ],
})

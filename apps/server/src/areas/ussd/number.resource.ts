import { sql } from '@outpost/platform/db/sql'
import { fail } from '@outpost/contract/errors'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { defineResource } from '../../kernel/resource/define.ts'
import type { Ctx } from '../../kernel/types.ts'
import { ussdLockOf } from '../clients/index.ts'

const secured = `select c."ussdSecuredAt" from client c where c."companyId" = t."companyId" and c."id" = t."clientId"`

function dialledBetween({ company }: Ctx, value: string): Statement {
  const days = value.split('..')
  const [from, to] = days.length === 2 && days.every((day) => z.iso.date().safeParse(day).success) ? days : []
  if (from === undefined) return fail('INVALID', { fields: [{ field: 'dialled', message: 'must be two days, as 2026-11-01..2026-11-30' }] })
  return sql`exists (select from ussd_session s where s."companyId" = t."companyId" and s."msisdn" = t."msisdn"
    and s."startedAt" >= (${from}::date::timestamp at time zone ${company.timeZone}) and s."startedAt" < ((${to}::date + 1)::timestamp at time zone ${company.timeZone}))`
}

/** A number that dialled, once, with the client whose it is and what secures it. */
export const ussdNumber = defineResource({
  model: 'ussdNumber',
  one: 'ussdNumber',
  many: 'ussdNumbers',
  label: 'USSD client',
  labelMany: 'USSD clients',
  title: 'msisdn',
  isScoped: true,
  fields: {
    msisdn: { kind: 'text', label: 'Number', readOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    isSecured: { kind: 'boolean', label: 'Has a PIN', readOnly: true, sql: `(${secured}) is not null` },
    securedAt: { kind: 'dateTime', label: 'PIN since', readOnly: true, sql: secured },
    isLocked: {
      kind: 'boolean',
      label: 'Locked',
      readOnly: true,
      sql: `exists (select from client c where c."companyId" = t."companyId" and c."id" = t."clientId" and ${ussdLockOf('c')})`,
    },
    sessions: { kind: 'number', label: 'Sessions', readOnly: true },
    network: { kind: 'text', label: 'Network', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    firstAt: { kind: 'dateTime', label: 'First session', readOnly: true },
    lastAt: { kind: 'dateTime', label: 'Last session', readOnly: true },
    dialled: {
      kind: 'text',
      label: 'Dialled between',
      readOnly: true,
      isFilterOnly: true,
      isTechnical: true,
      sql: 'null::text',
      filterBy: dialledBetween,
    },
  },
  list: {
    columns: ['msisdn', 'clientId', 'isSecured', 'isLocked', 'sessions', 'network', 'tenantId', 'firstAt', 'lastAt'],
    sort: ['lastAt', 'DESC'],
    size: 10_000,
    filters: ['msisdn', 'clientId', 'isSecured', 'isLocked', 'sessions', 'network', 'tenantId', 'lastAt', 'dialled'],
    dates: { last: { label: 'Last session', field: 'lastAt', window: { kind: 'all' } } },
    empty: { title: 'Nobody has dialled yet' },
  },
  actions: [
    {
      route: 'ussd.clearNumber',
      label: 'Clear USSD security',
      scope: 'row',
      danger: true,
      visibleIf: { not: { and: [{ eq: ['isSecured', false] }, { eq: ['isLocked', false] }] } },
      confirm: { title: 'Clear PIN and device of this client?', body: 'The client sets a new PIN with the next session.' },
      form: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
    },
  ],
})

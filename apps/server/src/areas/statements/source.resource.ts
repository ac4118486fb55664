import { sql } from '@outpost/platform/db/sql'
import { defineResource } from '../../kernel/resource/define.ts'
import { signedMoney } from '../loans/index.ts'

/** Providers that sign, as whoever reads in statements sees them: their names alone. A name that was connected several times is there once. */
export const moneySource = defineResource({
  model: 'providerConnection',
  one: 'moneySource',
  many: 'moneySources',
  label: 'Provider',
  labelMany: 'Providers',
  title: 'name',
  writtenBy: 'company',
  fields: {
    name: { kind: 'text', label: 'Called', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Opened', readOnly: true },
  },
  list: {
    columns: ['name', 'dateCreated'],
    sort: ['name', 'ASC'],
    size: 100,
    empty: { title: 'No provider is connected', body: 'Whoever administers the company connects one under Providers.' },
  },
  visible: () => sql`t."provider" = ${signedMoney} and t."name" is not null and not exists (
    select from provider_connection n where n."companyId" = t."companyId" and n."provider" = t."provider" and n."name" = t."name" and n."id" > t."id")`,
})

import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'holiday'>

/** A holiday is of the whole company and its country unless it says otherwise; one a day, tenant and country. */
export function prepareHoliday({ company }: Ctx, { kind, input, before }: PrepareWrite<Row>): Partial<Row> {
  if (kind === 'remove') return {}
  const row = { ...before, ...input }
  const country = (row.country ?? company.country).toUpperCase()
  if (!/^[A-Z]{2}$/.test(country)) fail('INVALID', { fields: [{ field: 'country', message: 'is two letters, as KE' }] })
  const tenantId = row.tenantId ?? company.id
  if (row.isWorked && tenantId === company.id)
    fail('INVALID', { fields: [{ field: 'isWorked', message: 'is for a branch: the company deletes its holiday instead' }] })
  return { country, tenantId }
}

import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'location'>

/** The last look before a write: a place has two coordinates or none, none of them 0, and a name is stored once in its branch. */
export async function prepareLocation(ctx: Ctx, { kind, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { latitude = null, longitude = null } = { ...before, ...input }
  const [hasLatitude, hasLongitude] = [latitude !== null, longitude !== null]
  if (hasLatitude !== hasLongitude)
    fail('INVALID', { fields: [{ field: hasLatitude ? 'longitude' : 'latitude', message: 'is missing: a place has both or none' }] })
  // A place that says 0 was never measured: the specification ignores it everywhere.
  const zero = hasLatitude && Number(latitude) === 0 ? 'latitude' : hasLongitude && Number(longitude) === 0 ? 'longitude' : undefined
  if (zero) fail('INVALID', { fields: [{ field: zero, message: 'is 0, which means that it was not measured' }] })
  await requireOwnName(ctx, { id: before?.id, name: input.name ?? before?.name, tenantId: before?.tenantId ?? ctx.tenant.id })
  return kind === 'create' ? { createdByUserId: ctx.user.id } : {}
}

interface Named {
  id: string | undefined
  name: string | undefined
  tenantId: string
}

async function requireOwnName({ sql: reader, company }: Ctx, { id, name, tenantId }: Named): Promise<void> {
  await takeTurn(reader, `location names of ${tenantId}`)
  const same = await reader.maybe(sql`
    select from location where "companyId" = ${company.id}::uuid and "tenantId" = ${tenantId}::uuid and upper(btrim("name")) = upper(btrim(${name ?? ''})) and "deletedAt" is null
      and "id" is distinct from ${id ?? null}::uuid limit 1`)
  if (same) fail('INVALID', { fields: [{ field: 'name', message: 'is the name of another location of this branch' }] })
}

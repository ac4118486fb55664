import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'

type Row = ModelRow<'asset'>

/** Last look at an asset: registration numbers read alike, readings say when they were read, and nobody loses sight of what they write. */
export async function prepareAsset(ctx: Ctx, { kind, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { groupIds } = input as { groupIds?: readonly string[] }
  if (groupIds && groupIds.length > 0) await requireOwnGroup(ctx, groupIds)
  const now = new Date().toISOString()
  const isNew = (key: 'odometer' | 'engineHours') => input[key] !== undefined && String(input[key] ?? '') !== String(before?.[key] ?? '')
  return {
    ...(input.registrationNumber === undefined ? {} : { registrationNumber: plate(input.registrationNumber) }),
    ...(isNew('odometer') ? { odometerAt: input.odometer === null ? null : now } : {}),
    ...(isNew('engineHours') ? { engineHoursAt: input.engineHours === null ? null : now } : {}),
  } as Partial<Row>
}

/** Upper case, single spaces: "kda  001a " is KDA 001A. */
const plate = (text: string): string => {
  const read = text.trim().replace(/\s+/g, ' ').toUpperCase()
  return read === '' ? fail('INVALID', { fields: [{ field: 'registrationNumber', message: 'is required' }] }) : read
}

/** An asset in groups of other roles would be gone for whoever put it there. */
async function requireOwnGroup({ sql: reader, company, user, isGlobalAdministrator }: Ctx, groupIds: readonly string[]): Promise<void> {
  if (isGlobalAdministrator) return
  const found = await reader.maybe(sql`
    select from asset_group g where g."companyId" = ${company.id}::uuid and g."id" = any(${groupIds}::uuid[]) and (g."roleId" is null or exists (
      select from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
      where ur."companyId" = g."companyId" and ur."userId" = ${user.id}::uuid and (ur."roleId" = g."roleId" or r."systemRole" in ('admin', 'company-admin')))) limit 1`)
  if (!found)
    fail('INVALID', { fields: [{ field: 'groupIds', message: 'names no group of a role of yours: you would not see the asset any more' }] })
}

import { randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { readPermissions, refuseWider } from '../roles/index.ts'
import { refuseForeignTenants } from '../users/index.ts'

type ApiUserRow = ModelRow<'user'> & { permissions?: string[]; tenants?: string[] }

/** What no system may do: decide who gets in. A leaked key must not make further ones. */
export const forPeopleOnly = /^ADMIN\/(?:API|IPADDRESSES|ROLES|USERS)(?:\/|$)/

/** Last look at an API user: rights the caller holds, tenants in reach, and what an account has to have beside. */
export async function prepareApiUser(ctx: Ctx, { kind, input, before }: PrepareWrite<ApiUserRow>): Promise<Partial<ApiUserRow>> {
  if (kind === 'remove') return { status: 0 }
  const permissions = input.permissions && readPermissions(input.permissions)
  if (permissions) refuseRights(ctx, permissions, before?.permissions ?? [])
  if (input.tenants) await refuseForeignTenants(ctx, before?.tenants ?? [], input.tenants)
  const main = mainTenant(input.tenants, before)
  return { ...(permissions ? { permissions } : {}), ...main, ...(kind === 'create' ? account() : {}) }
}

function refuseRights(ctx: Ctx, permissions: readonly string[], before: readonly string[]): void {
  if (permissions.length === 0) fail('INVALID', { fields: [{ field: 'permissions', message: 'at least one is required' }] })
  const personal = permissions.filter((hierarchy) => forPeopleOnly.test(hierarchy))
  if (personal.length > 0)
    fail('INVALID', { fields: [{ field: 'permissions', message: `${personal.slice(0, 5).join(', ')}: for people only` }] })
  refuseWider(
    ctx,
    permissions.filter((hierarchy) => !before.includes(hierarchy)),
  )
}

/** New records of the API user are filed under the first of its tenants. */
function mainTenant(tenants: string[] | undefined, before: ApiUserRow | undefined): { tenantId?: string } {
  if (tenants === undefined) return {}
  const [first] = tenants
  if (first === undefined) return fail('INVALID', { fields: [{ field: 'tenants', message: 'at least one is required' }] })
  return before && tenants.includes(before.tenantId) ? {} : { tenantId: first }
}

/** An account without a mailbox: .invalid never has one (RFC 2606). */
function account(): Partial<ApiUserRow> {
  const userName = `api-${randomBytes(8).toString('hex')}`
  return { isProgram: true, userName, emailAddress: `${userName}@api.invalid`, lastName: '' }
}

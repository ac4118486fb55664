import { randomBytes } from 'node:crypto'
import { fail, failField } from '@outpost/contract/errors'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { isAdministrator, type RoleFacts } from '../../kernel/session/policy.ts'
import { countInCompany } from '../../kernel/quota.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { isCallerAdministrator, refuseWiderRoles } from '../roles/index.ts'
import { readMetadata, signOutAddresses, wantsSignedRequests, type ProviderMetadata } from './metadata.ts'
import { makeOwnKey } from './own-key.ts'

type Row = ModelRow<'samlProvider'> & { roleMap?: { value: string; roleId: string }[] }
const maxProviders = 20

/**
 * Last look at a provider. Whoever sets one up decides who somebody is, so that this is for administrators; and it gives nobody more
 * than they hold themselves.
 */
export async function prepareProvider(ctx: Ctx, { kind, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (!isCallerAdministrator(ctx)) fail('FORBIDDEN', { message: 'Only an administrator may decide who signs people in.' })
  if (kind === 'remove') return {}
  const row = { ...before, ...input }
  if (row.makesUsers && !row.defaultTenantId) failField('defaultTenantId', 'is required: somewhere new people must work')
  await refuseRoles(ctx, row)
  if (kind === 'create') await refuseTooMany(ctx)
  const key = kind === 'create' ? keyFor(row.name ?? ctx.company.name) : (row.key ?? '')
  const { wantsSigned = wantsSignedRequests(row.metadata ?? ''), ...read }: Partial<ProviderMetadata> =
    input.metadata === undefined ? signOutAddresses(row.metadata ?? '') : readMetadata(input.metadata)
  return {
    ...read,
    key,
    ...(row.ownKey ? {} : await makeOwnKey(key)),
    // Where the provider takes nothing else there is no choice.
    signsRequests: wantsSigned || row.signsRequests === true,
    allowedPermissions: ctx.isGlobalAdministrator ? [...permissionHierarchies] : [...ctx.permissions].toSorted(),
  }
}

async function refuseRoles(ctx: Ctx, { roleMap = [], defaultRoleId, makesUsers, roleAttribute }: Partial<Row>): Promise<void> {
  if (makesUsers && !defaultRoleId && roleMap.length === 0) failField('defaultRoleId', 'is required where no value gives a role')
  if (roleMap.length > 0 && !roleAttribute) failField('roleAttribute', 'is required: it holds the values')
  const ids = [...new Set([...roleMap.map(({ roleId }) => roleId), ...(defaultRoleId ? [defaultRoleId] : [])])]
  const roles = await ctx.sql.query<RoleFacts>(sql`
    select "name", "systemRole" from role where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[]) and "deletedAt" is null`)
  if (isAdministrator(roles)) failField('roleMap', 'holds a role of administrators, which no provider gives')
  await refuseWiderRoles(ctx, ids)
}

/** The name as people type it, with letters that make it the only one. */
function keyFor(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 30)
  return `${plain || 'sign-in'}-${randomBytes(3).toString('hex')}`
}

async function refuseTooMany(ctx: Ctx): Promise<void> {
  const count = await countInCompany(ctx, 'saml_provider')
  if (count >= maxProviders)
    fail('QUOTA_REACHED', { message: `A company has ${maxProviders} identity providers at most. Delete one first.` })
}

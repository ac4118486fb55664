import { sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import { later } from '../../kernel/session/clock.ts'
import type { SessionServices } from '../../kernel/session/services.ts'
import { openOwnKey } from './own-key.ts'
import type { CheckedProvider, ServiceProvider } from './response.ts'

/** An identity provider as sign-in sees one. */
export interface Provider {
  companyId: string
  id: string
  name: string
  key: string
  entityId: string
  ssoUrl: string
  sloUrl: string | null
  sloResponseUrl: string | null
  /** redirect | post */
  sloBinding: string
  certificates: string[]
  signs: string
  signsRequests: boolean
  ownKey: string | null
  ownCertificate: string | null
  emailAttribute: string | null
  firstNameAttribute: string | null
  lastNameAttribute: string | null
  roleAttribute: string | null
  linksByEmail: boolean
  makesUsers: boolean
  defaultTenantId: string | null
  defaultRoleId: string | null
  allowedPermissions: string[]
}

export const providerColumns = sql`"companyId", "id", "name", "key", "entityId", "ssoUrl", "sloUrl", "sloResponseUrl", "sloBinding", "certificates", "signs", "signsRequests", "ownKey", "ownCertificate", "emailAttribute", "firstNameAttribute",
  "lastNameAttribute", "roleAttribute", "linksByEmail", "makesUsers", "defaultTenantId", "defaultRoleId", "allowedPermissions"`
/** What the provider's responses are checked by, with our key for those that are encrypted. */
export const checkedOf = (provider: Provider): CheckedProvider => ({ ...provider, privateKey: openOwnKey(provider) })

const isLive = sql`not "isDisabled" and "deletedAt" is null`

/** Live providers: those of a condition, two at most. */
export function findProviders({ store }: Pick<SessionServices, 'store'>, where: Statement = sql`true`): Promise<Provider[]> {
  return store.sql.query<Provider>(sql`select ${providerColumns} from saml_provider where ${isLive} and ${where} limit 2`)
}

/** For the administration, with the provider and the person. */
export async function noteUse(
  db: Sql,
  { clock }: SessionServices,
  { provider: { companyId, id }, nameId }: { provider: Provider; nameId: string },
): Promise<void> {
  const now = later(clock)
  await db.exec(sql`update saml_provider set "lastUsedAt" = ${now} where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid`)
  await db.exec(sql`
    update saml_identity set "lastUsedAt" = ${now}
    where "companyId" = ${companyId}::uuid and "providerId" = ${id}::uuid and "nameId" = ${nameId}`)
}

/** Our addresses for a provider: each company has its own, so that nothing meant for one counts for another. */
export function addressesOf(
  { publicUrl }: Pick<SessionServices, 'publicUrl'>,
  key: string,
): ServiceProvider & { startUrl: string; sloUrl: string; sendUrl: string } {
  const base = `${publicUrl.replace(/\/$/, '')}/api/auth/saml/${key}`
  return {
    entityId: `${base}/metadata`,
    acsUrl: `${base}/acs`,
    sloUrl: `${base}/slo`,
    sendUrl: `${base}/send`,
    startUrl: `${publicUrl.replace(/\/$/, '')}/saml?provider=${key}`,
  }
}

/** Rows of the mapping whose values somebody has, with their roles as they are now. */
export interface MappedRole {
  id: string
  name: string
  systemRole: string | null
  permissions: string[]
  value: string | null
}

/** The roles that values of the role attribute give, in the order of the mapping; without any, the default role. */
export async function mappedRoles(db: Pick<Sql, 'query'>, provider: Provider, values: readonly string[]): Promise<MappedRole[]> {
  const rows = await db.query<MappedRole>(sql`
    select distinct on (r."id") r."id", r."name", r."systemRole", m."value",
      array(select upper(p."hierarchy") from role_permission p where p."companyId" = r."companyId" and p."roleId" = r."id") as permissions
    from (
      select "value", "roleId", "position" from saml_role
      where "companyId" = ${provider.companyId}::uuid and "providerId" = ${provider.id}::uuid and lower("value") = any(${values.map((one) => one.toLowerCase())}::text[])
      union all select null, ${provider.defaultRoleId}::uuid, 1000000
    ) m join role r on r."companyId" = ${provider.companyId}::uuid and r."id" = m."roleId" and r."deletedAt" is null
    order by r."id", m."position"`)
  const given = rows.filter(({ value }) => value !== null)
  return given.length > 0 ? given : rows
}

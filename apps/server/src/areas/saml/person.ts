import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { createRecord, updateRecord } from '../../kernel/resource/records.ts'
import { isAdministrator } from '../../kernel/session/policy.ts'
import { rightsChanged } from '../../kernel/session/rights.ts'
import type { Ctx } from '../../kernel/types.ts'
import { heldRightsOf, user } from '../users/index.ts'
import { mappedRoles, type MappedRole, type Provider } from './provider.ts'
import { AssertionRefused, type Assertion } from './response.ts'

const refuse = (message: string): never => {
  throw new AssertionRefused(message)
}

/** What an assertion says of a person, by the attributes that the provider's settings name. */
export interface Claims {
  nameId: string
  email: string | null
  firstName: string
  lastName: string
  /** Values of the role attribute. */
  values: string[]
}

const usualNames = {
  email: [
    'email',
    'mail',
    'emailaddress',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
  ],
  firstName: ['firstname', 'givenname', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname', 'urn:oid:2.5.4.42'],
  lastName: ['lastname', 'surname', 'sn', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname', 'urn:oid:2.5.4.4'],
}
const isAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254

/** Reads the claims: of attributes that are named, or of those that providers usually send. */
export function claimsOf(provider: Provider, { nameId, attributes }: Pick<Assertion, 'nameId' | 'attributes'>): Claims {
  const find = (chosen: string | null, usual: readonly string[]): string[] => {
    const wanted = chosen ? [chosen.toLowerCase()] : usual
    return Object.entries(attributes).find(([name]) => wanted.includes(name.toLowerCase()))?.[1] ?? []
  }
  const given = find(provider.emailAttribute, usualNames.email)[0] ?? (provider.emailAttribute ? '' : nameId)
  const email = isAddress(given) ? given.toLowerCase() : null
  return {
    nameId,
    email,
    firstName: find(provider.firstNameAttribute, usualNames.firstName)[0] ?? '',
    lastName: find(provider.lastNameAttribute, usualNames.lastName)[0] ?? '',
    values: provider.roleAttribute ? find(provider.roleAttribute, []) : [],
  }
}

/** Whom an assertion means and what signing in would do; nothing is written. */
export interface Meant {
  claims: Claims
  /** The account, when there is one; then how it is known. */
  userId: string | null
  by: 'identity' | 'email' | null
  /** The provider made the account, or would: its roles follow the assertion. */
  isMade: boolean
  roles: MappedRole[]
}

/** Finds the person. Throws AssertionRefused when nobody may come in by this assertion. */
export async function findMeant(ctx: Ctx, provider: Provider, assertion: Pick<Assertion, 'nameId' | 'attributes'>): Promise<Meant> {
  const claims = claimsOf(provider, assertion)
  const roles = await mappedRoles(ctx.sql, provider, claims.values)
  const known = await ctx.sql.maybe<{ userId: string; isMade: boolean }>(sql`
    select "userId", "isMade" from saml_identity
    where "companyId" = ${provider.companyId}::uuid and "providerId" = ${provider.id}::uuid and "nameId" = ${claims.nameId}`)
  if (known) return checked(ctx, provider, { claims, userId: known.userId, by: 'identity', isMade: known.isMade, roles })
  const namesake = claims.email === null ? undefined : await byEmail(ctx, claims.email)
  if (namesake) {
    if (!provider.linksByEmail)
      refuse(`${claims.email} is a user here, whom the provider may not sign in: recognising by e-mail is switched off`)
    return checked(ctx, provider, { claims, userId: namesake.id, by: 'email', isMade: false, roles })
  }
  if (!provider.makesUsers) refuse(`${claims.email ?? claims.nameId} is no user here, and none is made`)
  return checked(ctx, provider, { claims, userId: null, by: null, isMade: true, roles })
}

function byEmail(ctx: Ctx, email: string): Promise<{ id: string } | undefined> {
  return ctx.sql.maybe<{ id: string }>(sql`
    select "id" from app_user where "companyId" = ${ctx.company.id}::uuid and "emailAddress" = ${email} and not "isProgram"`)
}

async function checked(ctx: Ctx, provider: Provider, meant: Meant): Promise<Meant> {
  if (meant.userId !== null) await refuseHigherAccount(ctx, provider, meant.userId)
  if (!meant.isMade) return meant
  if (meant.roles.length === 0)
    refuse(`no role is set for ${meant.claims.values.join(', ') || 'somebody without a value of the role attribute'}`)
  for (const role of meant.roles) refuseHigherRole(provider, role)
  if (meant.userId === null && meant.claims.email === null) refuse('it gives no e-mail address, without which nobody can be made')
  return meant
}

/** What a directory says must not make somebody more than whoever set the provider up could. */
function refuseHigherRole({ allowedPermissions }: Provider, role: MappedRole): void {
  if (isAdministrator([role])) refuse(`the role ${role.name} is one of administrators, which no provider gives`)
  const missing = role.permissions.filter((hierarchy) => !allowedPermissions.includes(hierarchy))
  if (missing.length > 0)
    refuse(
      `the role ${role.name} may more than whoever saved the provider: ${missing.slice(0, 3).join(', ')}. Somebody who holds that has to save it`,
    )
}

async function refuseHigherAccount(ctx: Ctx, { allowedPermissions }: Provider, userId: string): Promise<void> {
  const [held] = await heldRightsOf(ctx, [userId])
  const row = await ctx.sql.maybe<{ isActive: boolean }>(sql`
    select "status" = 1 and "deletedAt" is null as "isActive" from app_user where "companyId" = ${ctx.company.id}::uuid and "id" = ${userId}::uuid`)
  if (!held || !row?.isActive) return refuse('the user is deactivated')
  const missing = held.permissions.filter((hierarchy) => !allowedPermissions.includes(hierarchy))
  if (missing.length > 0)
    refuse(`the user may more than whoever saved the provider: ${missing.slice(0, 3).join(', ')}. Somebody who holds that has to save it`)
}

/** Makes the user or gives one the roles of the assertion, and remembers who it is; the id. Runs in a transaction of the program. */
export async function admitMeant(ctx: Ctx, provider: Provider, meant: Meant): Promise<string> {
  const roles = meant.roles.map(({ id }) => id)
  const userId = meant.userId ?? (await makeUser(ctx, provider, meant.claims, roles))
  if (meant.userId !== null && meant.isMade) await followRoles(ctx, userId, roles)
  if (meant.by !== 'identity') {
    await ctx.sql.exec(sql`
      insert into saml_identity ("companyId", "providerId", "nameId", "userId", "isMade")
      values (${ctx.company.id}::uuid, ${provider.id}::uuid, ${meant.claims.nameId}, ${userId}::uuid, ${meant.isMade}) on conflict do nothing`)
    audit(ctx, {
      action: 'user.saml',
      objectType: 'user',
      objectId: userId,
      after: { provider: provider.name, nameId: meant.claims.nameId },
    })
  }
  return userId
}

async function followRoles(ctx: Ctx, userId: string, roles: readonly string[]): Promise<void> {
  const [held] = await heldRightsOf(ctx, [userId])
  const before = (held?.roles ?? []).map(({ id }) => id)
  if (before.length === roles.length && before.every((id) => roles.includes(id))) return
  await updateRecord(ctx, user, userId, { roles: [...roles] })
  rightsChanged(ctx, [userId])
}

async function makeUser(ctx: Ctx, provider: Provider, { email, firstName, lastName }: Claims, roles: readonly string[]): Promise<string> {
  const emailAddress = email ?? fail('INVALID')
  const tenantId = provider.defaultTenantId ?? ctx.company.id
  const [local = ''] = emailAddress.split('@')
  const names = { firstName: personName(firstName, 20) || personName(local, 20) || 'New', lastName: personName(lastName, 60) || 'User' }
  const made = await createRecord(ctx, user, {
    ...names,
    userName: await freeUserName(ctx, local),
    emailAddress,
    tenants: [tenantId],
    tenantId,
    roles: [...roles],
  })
  return made.Id
}

const personName = (text: string, most: number) =>
  text
    .replaceAll(/[^\p{L}\p{M}' -]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .trim()

async function freeUserName(ctx: Ctx, local: string): Promise<string> {
  const base = (
    local
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]/g, '')
      .replace(/^[._-]+/, '') || 'user'
  )
    .padEnd(3, '0')
    .slice(0, 50)
  const { taken } = await ctx.sql.one<{ taken: string[] }>(sql`
    select array(select "userName" from app_user where "companyId" = ${ctx.company.id}::uuid and left("userName", ${base.length}) = ${base}) as taken`)
  const free = [base, ...Array.from({ length: taken.length + 1 }, (_, index) => `${base}${index + 2}`)].find(
    (name) => !taken.includes(name),
  )
  return free ?? base
}

import type { ConsoleLayout, ConsoleTenant, ConsoleUser } from '@outpost/contract/console'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx, TenantRef } from '../types.ts'
import type { Identity } from './identity.ts'
import { locateUser } from './place.ts'
import { isFieldRole, landingScreen, maySwitchTenant, offlineDays } from './policy.ts'
import { settingIn } from '../settings/effective.ts'
import { formatsOf, lookOf } from '../settings/look.ts'
import { session, type SessionServices } from './services.ts'

export type SessionPart = Pick<
  ConsoleLayout,
  | 'user'
  | 'realUser'
  | 'impersonation'
  | 'mustChangePassword'
  | 'company'
  | 'maySwitchTenant'
  | 'isFieldRole'
  | 'reach'
  | 'place'
  | 'offlineDays'
  | 'landing'
>

/** The part of the console's layout that the session knows: who is signed in, where, and for whom. */
export async function sessionPart(ctx: Ctx, services: SessionServices = session()): Promise<SessionPart> {
  const identity = await identityOf(ctx, services)
  const { actor, session: own, roles } = identity
  return {
    user: toConsoleUser(identity),
    ...(actor ? { realUser: { Id: actor.id, firstName: actor.firstName, lastName: actor.lastName } } : {}),
    ...(actor && own ? { impersonation: { reason: own.reason ?? '', endsAt: new Date(own.expiresAt).toISOString() } } : {}),
    ...(identity.mustChangePassword ? { mustChangePassword: true } : {}),
    company: await toConsoleCompany(ctx),
    maySwitchTenant: maySwitchTenant(roles),
    isFieldRole: isFieldRole(roles),
    ...(isFieldRole(roles) ? await fieldPart(ctx, services) : {}),
    landing: landingScreen(roles),
  }
}

/** What a device must know to work without the server as the server does. */
async function fieldPart(ctx: Ctx, services: SessionServices): Promise<Pick<SessionPart, 'reach' | 'place' | 'offlineDays'>> {
  const place = await locateUser(ctx, ctx.user.id)
  const mayOpenFor = await settingIn(services, offlineDays, ctx.company.id)
  return { reach: await reachOf(ctx), ...(place ? { place } : {}), offlineDays: mayOpenFor }
}

function reachOf({ sql: db, company, scope }: Ctx): Promise<{ Id: string; path: string[] }[]> {
  const mine = scope === '*' ? sql`` : sql`and "id" = any(${scope}::uuid[])`
  return db.query(sql`select "id" as "Id", "path" from tenant where "companyId" = ${company.id}::uuid and "deletedAt" is null ${mine}`)
}

/** The identity that a ctx was made from (remembered, so this costs no query as a rule). */
export function identityOf(ctx: Ctx, services: SessionServices = session()): Promise<Identity> {
  const { user, sessionId, tenant } = ctx
  return services.identities.load({
    companyId: user.companyId,
    userId: user.id,
    sessionId: sessionId === '' ? null : sessionId,
    tenantId: tenant.id,
  })
}

/** The signed-in user as the specification has it in browser storage, without the tokens. */
export function toConsoleUser(identity: Identity): ConsoleUser {
  const { person, roles, ownPermissions, rolePermissions, assigned, selected } = identity
  return {
    Id: person.id,
    userName: person.userName,
    emailAddress: person.emailAddress,
    firstName: person.firstName,
    lastName: person.lastName,
    roles: roles.map(({ name }) => ({ name })),
    permissions: ownPermissions.map((hierarchy) => ({ hierarchy })),
    rolepermissions: rolePermissions.map((hierarchy) => ({ hierarchy })),
    tenants: assigned.map(toConsoleTenant),
    selectedTenant: toConsoleTenant(selected),
    tours: person.tours,
    preferences: person.preferences,
    picture: person.pictureId && pictureUrl(person.id, person.pictureId),
  }
}

/** Where a picture is; a new one has an address of its own, so that no copy of the old one is shown. */
const pictureUrl = (userId: string, pictureId: string) => `/api/users/${userId}/picture?v=${pictureId}`

export function toConsoleTenant({ id, parentId, name, shortCode, type, locationRequired }: TenantRef): ConsoleTenant {
  return { Id: id, parentId, name, shortCode, type, locationRequired }
}

async function toConsoleCompany({ company }: Ctx): Promise<ConsoleLayout['company']> {
  const { id, name, country, currency, timeZone } = company
  return { Id: id, name, country, currency, timeZone, formats: await formatsOf(id), look: await lookOf(id) }
}

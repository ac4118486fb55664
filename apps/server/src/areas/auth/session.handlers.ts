import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { later } from '../../kernel/session/clock.ts'
import { identityOf, toConsoleTenant } from '../../kernel/session/layout.ts'
import { maySwitchTenant, policyOf, sessionTimes } from '../../kernel/session/policy.ts'
import { session } from '../../kernel/session/services.ts'
import { endOneSession, endSessionsOf, openSession } from '../../kernel/session/sessions.ts'
import { issueTicket } from '../../kernel/session/tokens/ticket.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import { clearCookie } from './cookies.ts'
import { rememberDevice } from './devices/devices.ts'
import { endOwnImpersonation, isImpersonating } from './impersonation.handlers.ts'
import { hasOneProof, oneProof, proofFields, requireProof } from './proof.ts'

/** Gives the address at which a session's identity provider signs the person out, where it has one. */
export type ProviderSignOut = (session: { companyId: string; sessionId: string }) => Promise<string | undefined>

/**
 * Ends the session at once, here and in every other process; while impersonating, only the impersonation. What an identity provider
 * vouched for is signed out there too: at data.signOutUrl.
 */
export const logout =
  (providerSignOut?: ProviderSignOut) =>
  async (ctx: Ctx, _input: unknown, { log }: RequestInfo): Promise<Answer> => {
    const services = session()
    if (isImpersonating(ctx)) {
      await endOwnImpersonation(ctx, services)
      return { data: { impersonationEnded: true }, cookies: [clearCookie(services, 'impersonation')] }
    }
    const own = { companyId: ctx.user.companyId, id: ctx.sessionId, userId: ctx.user.id }
    await endOneSession(services, own, 'logout')
    // The session here is over whatever becomes of the one there.
    const signOutUrl = await providerSignOut?.({ companyId: own.companyId, sessionId: own.id }).catch((error: unknown) => {
      log.error({ err: error }, 'the identity provider could not be asked to sign out')
      return undefined
    })
    return {
      data: signOutUrl === undefined ? {} : { signOutUrl },
      cookies: [clearCookie(services, 'session'), clearCookie(services, 'impersonation')],
    }
  }

export const ticketAnswer = z.strictObject({ ticket: z.string(), seconds: z.int() })

/** A ticket that opens one socket, within 30 seconds. */
export async function ticket(ctx: Ctx): Promise<Answer> {
  return { data: { ticket: await issueTicket(ctx), seconds: 30 } }
}

/** The caller's open sessions, the newest use first. */
export async function listSessions(ctx: Ctx): Promise<Answer> {
  const services = session()
  const rows = await services.store.sql.query(sql`
    select s."id" as "Id", s."dateCreated", s."lastSeenAt", s."expiresAt", s."userAgent", s."ip", s."policy",
      s."id" = ${ctx.sessionId}::uuid as "isCurrent", s."actorUserId" is not null as "isImpersonation", d."name" as "deviceName"
    from session s left join user_device d on d."companyId" = s."companyId" and d."userId" = s."userId" and d."sessionId" = s."id"
    where s."companyId" = ${ctx.user.companyId}::uuid and s."userId" = ${ctx.user.id}::uuid
      and s."endedAt" is null and s."expiresAt" > ${later(services.clock)}
    order by s."lastSeenAt" desc, s."id" limit 200`)
  return { data: { sessions: rows } }
}

export const sessionsAnswer = z.strictObject({
  sessions: z.array(
    z.strictObject({
      Id: idSchema,
      dateCreated: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      userAgent: z.string().nullable(),
      ip: z.string().nullable(),
      policy: z.string(),
      isCurrent: z.boolean(),
      isImpersonation: z.boolean(),
      deviceName: z.string().nullable(),
    }),
  ),
})

export const endSessionsInput = z
  .strictObject({ sessionId: idSchema.optional(), others: z.literal(true).optional() })
  .refine(({ sessionId, others }) => (sessionId === undefined) !== (others === undefined), {
    path: ['sessionId'],
    error: 'give sessionId, or others: true',
  })

/** Ends one of the caller's sessions, or all but this one. */
export async function endSessions(ctx: Ctx, { sessionId }: z.infer<typeof endSessionsInput>): Promise<Answer> {
  const services = session()
  const { id: userId, companyId } = ctx.user
  if (sessionId === undefined) {
    return { data: { ended: await endSessionsOf(services, { companyId, userId, exceptSessionId: ctx.sessionId }, 'replaced') } }
  }
  const own = await services.store.sql.maybe(sql`
    select 1 as one from session where "companyId" = ${companyId}::uuid and "id" = ${sessionId}::uuid and "userId" = ${userId}::uuid`)
  if (!own) fail('NOT_FOUND')
  return { data: { ended: Number(await endOneSession(services, { companyId, id: sessionId, userId }, 'replaced')) } }
}

export const deviceInput = z
  .strictObject({ ...proofFields, deviceId: idSchema, name: z.string().trim().min(1).max(100).optional() })
  .refine(hasOneProof, oneProof)

/**
 * Registers a device for biometric sign-in: a session of its own, bound to the device, whose refresh token the device
 * keeps behind its lock. It is answered once, as data.refreshToken; POST /api/auth/biometric takes it. As it outlasts
 * the present session it asks who the person is again; it ends by the profile's list of sessions, with the password,
 * and with whatever ends all sessions. Stops with INVALID (password), TOO_MANY_REQUESTS or TOKEN_INVALID.
 */
export async function registerDevice(
  ctx: Ctx,
  { deviceId, name, ...proof }: z.infer<typeof deviceInput>,
  facts: RequestInfo,
): Promise<Answer> {
  const services = session()
  const spend = await requireProof(ctx, proof, facts)
  const { roles } = await identityOf(ctx, services)
  const { id: userId, companyId } = ctx.user
  const device = deviceId.toLowerCase()
  const policy = policyOf(roles)
  const times = await sessionTimes(services.settings, companyId, policy)
  const opened = await services.store.write(null, async (db) => {
    await spend(db)
    const made = await openSession(services, db, {
      companyId,
      userId,
      policy,
      times,
      ip: facts.ip,
      userAgent: facts.userAgent,
      deviceId: device,
      kind: 'biometric',
    })
    await rememberDevice(db, services, {
      companyId,
      userId,
      deviceId: device,
      sessionId: made.session.id,
      isBiometric: true,
      ...(name ? { name } : {}),
    })
    return made
  })
  return { data: { deviceId: device, refreshToken: opened.refreshToken, sessionEndsAt: new Date(opened.session.expiresAt).toISOString() } }
}

export const selectTenantInput = z.strictObject({ tenantId: idSchema })

/** Saves the tenant that the user works in from now on. Stops with TENANT_FORBIDDEN when it is out of reach. */
export async function selectTenant(ctx: Ctx, { tenantId }: z.infer<typeof selectTenantInput>): Promise<Answer> {
  const services = session()
  const { user, sessionId } = ctx
  const identity = await services.identities.load({ companyId: user.companyId, userId: user.id, sessionId, tenantId })
  if (!maySwitchTenant(identity.roles)) fail('FORBIDDEN')
  // An administrator in another's name looks around there, but leaves the other's choice alone.
  if (!isImpersonating(ctx)) {
    await services.store.write(null, (db) =>
      db.exec(sql`
      update app_user set "selectedTenantId" = ${tenantId}::uuid where "companyId" = ${user.companyId}::uuid and "id" = ${user.id}::uuid`),
    )
    services.changed({ companyId: user.companyId, userId: user.id })
  }
  return { data: { selectedTenant: toConsoleTenant(identity.selected) } }
}

import { fail } from '@outpost/contract/errors'
import { appendAudit } from '@outpost/platform/audit'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { notify } from '../../kernel/realtime/notify.ts'
import { later } from '../../kernel/session/clock.ts'
import type { Identity } from '../../kernel/session/identity.ts'
import { isAdministrator, sessionTimes } from '../../kernel/session/policy.ts'
import { rotate } from '../../kernel/session/tokens/refresh.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import { endOneSession, openSession } from '../../kernel/session/sessions.ts'
import { settingOf } from '../../kernel/settings/read.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import { isNative, signedInAnswer } from './answers.ts'
import { clearCookie, readCookie } from './cookies.ts'
import { impersonationOf, requireOwnPage } from './refresh.handlers.ts'
import { impersonationFailed } from './auth.errors.ts'
import { impersonationMinutes } from './auth.settings.ts'

const whyReason = 'must say why you work as this user, in 3 to 300 characters; the user is told'

export const impersonateInput = z.strictObject({
  userName: z.string().trim().min(1).max(200),
  reason: z.string().trim().min(3, whyReason).max(300, whyReason),
})

export function isImpersonating(ctx: Pick<Ctx, 'user' | 'realUser'>): boolean {
  return ctx.user.id !== ctx.realUser.id
}

/**
 * Opens a session of another user for an administrator, for as long as the company's setting says. Stops with IMPERSONATION_FAILED
 * unless the user is of the same company, may nothing that the caller may not, and is no administrator.
 */
export async function impersonate(ctx: Ctx, { userName, reason }: z.infer<typeof impersonateInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const target = await findTarget(services, ctx, userName)
  const { id: userId, companyId } = target.person
  const seconds = 60 * (await settingOf(ctx, impersonationMinutes, ctx.company.id))
  const times = await sessionTimes(services.settings, companyId, 'admin')
  const opened = await services.store.write(ctx.company.id, async (db) => {
    const made = await openSession(services, db, {
      companyId,
      userId,
      policy: 'admin',
      times,
      ip: facts.ip,
      userAgent: facts.userAgent,
      kind: 'impersonation',
      impersonation: {
        parentId: ctx.sessionId,
        actorUserId: ctx.user.id,
        actorCompanyId: ctx.user.companyId,
        reason,
        seconds,
      },
    })
    await audit(ctx, { db, userId, action: 'impersonation.start', after: { reason, sessionId: made.session.id } })
    return made
  })
  await tellTarget(ctx, userId, { reason, seconds })
  return signedInAnswer(services, { ...opened, into: isNative(facts) ? 'json' : 'impersonation', more: impersonationOf(opened) })
}

/** Ends the impersonation and, for browsers, answers with the administrator's own session. */
export async function endImpersonation(ctx: Ctx, _input: object, facts: RequestInfo): Promise<Answer> {
  if (!isImpersonating(ctx)) fail(impersonationFailed, { message: 'No impersonation is going on.' })
  const services = session()
  await endOwnImpersonation(ctx, services)
  const cookies = [clearCookie(services, 'impersonation')]
  const own = readCookie(services, facts, 'session')
  if (!own) return { data: { ended: true }, cookies }
  requireOwnPage(services, facts)
  const refreshed = await rotate(services, { token: own, deviceId: null, ip: facts.ip })
  if (refreshed.kind !== 'good') return { data: { ended: true }, cookies: [...cookies, clearCookie(services, 'session')] }
  return signedInAnswer(services, { ...refreshed, into: 'session', cookies, more: { ended: true } })
}

/** Ends the caller's impersonated session and writes it down. */
export async function endOwnImpersonation(ctx: Ctx, services: SessionServices): Promise<void> {
  const { user, sessionId } = ctx
  await endOneSession(services, { companyId: user.companyId, id: sessionId, userId: user.id }, 'ended')
  await services.store.write(ctx.company.id, (db) => audit(ctx, { db, userId: user.id, action: 'impersonation.end' }))
}

export const logInput = z.strictObject({ adminId: idSchema, impersonateId: idSchema, state: z.enum(['in-progress', 'ended']) })

/** The console's own note of a start or end. It is believed only where it is what really happened. */
export async function logImpersonation(ctx: Ctx, { adminId, impersonateId, state }: z.infer<typeof logInput>): Promise<Answer> {
  const services = session()
  const isRunning = isImpersonating(ctx) && ctx.realUser.id === adminId && ctx.user.id === impersonateId
  const isTrue =
    isRunning || (!isImpersonating(ctx) && ctx.user.id === adminId && state === 'ended' && (await hasEnded(ctx, services, impersonateId)))
  if (!isTrue) fail('FORBIDDEN')
  await services.store.write(ctx.company.id, (db) =>
    audit(ctx, { db, userId: impersonateId, action: 'impersonation.log', after: { state } }),
  )
  return { data: { state } }
}

async function hasEnded(ctx: Ctx, { store, clock }: SessionServices, userId: string): Promise<boolean> {
  const row = await store.sql.maybe(sql`
    select 1 as one from session where "companyId" = ${ctx.company.id}::uuid and "userId" = ${userId}::uuid
      and "actorUserId" = ${ctx.user.id}::uuid and "endedAt" > ${later(clock, -3_600)} limit 1`)
  return row !== undefined
}

async function findTarget(services: SessionServices, ctx: Ctx, userName: string): Promise<Identity> {
  const row = await services.store.sql.maybe<{ id: string }>(sql`
    select "id" from app_user where "companyId" = ${ctx.company.id}::uuid and "status" = 1 and "deletedAt" is null and not "isProgram"
      and ("userName" = ${userName} or "emailAddress" = ${userName.toLowerCase()}) order by "userName" = ${userName} desc limit 1`)
  if (!row || row.id === ctx.user.id) return fail(impersonationFailed)
  const target = await services.identities.load({ companyId: ctx.company.id, userId: row.id, sessionId: null, tenantId: null })
  return mayBecome(ctx, target) ? target : fail(impersonationFailed)
}

/** No way up: neither to more rights, nor to more tenants, nor to another administrator. */
function mayBecome(ctx: Ctx, target: Identity): boolean {
  const { scope } = ctx
  const hasOnlyOurRights = ctx.isGlobalAdministrator || [...target.permissions].every((permission) => ctx.permissions.has(permission))
  const isInReach = scope === '*' || target.assigned.every(({ id }) => scope.includes(id))
  return hasOnlyOurRights && isInReach && !isAdministrator(target.roles)
}

interface AuditPart {
  db: Parameters<typeof appendAudit>[0]
  userId: string
  action: string
  after?: object
}

function audit(ctx: Ctx, { db, userId, action, after }: AuditPart): Promise<void> {
  return appendAudit(db, {
    companyId: ctx.company.id,
    userId: ctx.user.id,
    realUserId: ctx.realUser.id,
    ip: ctx.ip,
    requestId: ctx.requestId,
    action,
    objectType: 'user',
    objectId: userId,
    ...(after ? { after } : {}),
  })
}

async function tellTarget(ctx: Ctx, userId: string, { reason, seconds }: { reason: string; seconds: number }): Promise<void> {
  const message = `${ctx.user.firstName} ${ctx.user.lastName} works in your name for up to ${seconds / 60} minutes: ${reason}`
  await ctx.transaction((inner) => notify(inner, { userId, itemType: 'Message', kind: 'account', message, link: '/profile/sign-ins' }))
}

import type { Log } from '@outpost/platform/log'
import { fail } from '@outpost/contract/errors'
import type { Ctx } from '../../types.ts'
import { requireAddress } from '../addresses.ts'
import { makeCtx } from '../ctx.ts'
import { issueOneTime, redeemOneTime } from './one-time.ts'
import { session, type SessionServices } from '../services.ts'

/** A ticket that opens one socket within 30 seconds, for the caller's session and tenant. */
export async function issueTicket(ctx: Ctx, services: SessionServices = session()): Promise<string> {
  const { user, sessionId, tenant } = ctx
  return services.store.write(null, (db) =>
    issueOneTime(db, services.clock, {
      purpose: 'ticket',
      companyId: user.companyId,
      userId: user.id,
      sessionId,
      data: { tenantId: tenant.id },
    }),
  )
}

export interface SocketOpening {
  ticket: string
  ip: string | null
  log: Log
  requestId?: string
}

/** Uses a ticket up and makes the socket's ctx. Stops with NO_SESSION when the ticket is unknown, late or used. */
export async function redeemTicket({ ticket, ip, log, requestId }: SocketOpening, services: SessionServices = session()): Promise<Ctx> {
  const row = await services.store.write(null, (db) => redeemOneTime(db, services.clock, 'ticket', ticket))
  if (!row?.sessionId) return fail('NO_SESSION')
  const { companyId, userId, sessionId, data } = row
  const identity = await services.identities.load({ companyId, userId, sessionId, tenantId: String(data.tenantId) })
  requireAddress(services, identity, ip)
  return makeCtx({ ...services, identity, log, ip, ...(requestId ? { requestId } : {}) })
}

/** The same ctx with the rights of this moment: sockets ask every five seconds. Stops when the session is over. */
export async function renewCtx(ctx: Ctx, services: SessionServices = session()): Promise<Ctx> {
  const { user, sessionId, tenant, ip, requestId } = ctx
  const identity = await services.identities.load({ companyId: user.companyId, userId: user.id, sessionId, tenantId: tenant.id })
  requireAddress(services, identity, ip)
  return makeCtx({ ...services, identity, ip, requestId })
}

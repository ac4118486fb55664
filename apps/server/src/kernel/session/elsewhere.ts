import type { CompanyRef, Ctx, TenantRef } from '../types.ts'
import { makeCtx } from './ctx.ts'
import { identityOf } from './layout.ts'
import { session } from './services.ts'

/**
 * The caller's ctx in another company as a whole: for founding one, and for group staff changing their own record in
 * the group. The caller of this function has checked that the person may work there.
 */
export async function ctxElsewhere(ctx: Ctx, { company, tenant }: { company: CompanyRef; tenant: TenantRef }): Promise<Ctx> {
  const services = session()
  const identity = await identityOf(ctx, services)
  return makeCtx({
    pools: services.pools,
    program: services.program,
    log: ctx.log,
    requestId: ctx.requestId,
    ip: ctx.ip,
    identity: { ...identity, company, tenant, selected: tenant, scope: '*' },
  })
}

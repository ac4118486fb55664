import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'
import { session } from './services.ts'

/** Above this many one message for the whole company is cheaper than one for each user. */
const maxMessages = 50

/**
 * Roles, permissions or tenants of these users of the company changed: once that is committed their access tokens
 * are too old (the console renews them by itself) and every process looks their rights up again.
 */
export function rightsChanged(ctx: Pick<Ctx, 'company' | 'afterCommit'>, userIds: readonly string[]): void {
  if (userIds.length === 0) return
  const companyId = ctx.company.id
  ctx.afterCommit(async () => {
    const services = session()
    await services.store.write(null, (db) =>
      db.exec(sql`
      update session set "version" = "version" + 1
      where "companyId" = ${companyId}::uuid and "userId" = any(${userIds}::uuid[]) and "endedAt" is null`),
    )
    if (userIds.length > maxMessages) services.changed({ companyId })
    else for (const userId of userIds) services.changed({ companyId, userId })
  })
}

/** The tenant tree of the company changed, and with it what everybody reaches: looked up again, tokens stay good. */
export function reachChanged(ctx: Pick<Ctx, 'company' | 'afterCommit'>): void {
  ctx.afterCommit(() => session().changed({ companyId: ctx.company.id }))
}

import { appendAudit, type AuditEntry } from '@outpost/platform/audit'
import type { Ctx } from './types.ts'

export type AuditedAct = Pick<AuditEntry, 'action' | 'objectType' | 'objectId' | 'before' | 'after'>

/**
 * Puts acts on the company's audit chain, in the running transaction, with who did them. They are written as its last
 * step: the chain's lock is then held for a moment only, and always taken after every other lock.
 */
export function audit(ctx: Ctx, acts: AuditedAct | readonly AuditedAct[]): void {
  const who = {
    companyId: ctx.company.id,
    userId: ctx.user.id,
    realUserId: ctx.realUser.id,
    ip: ctx.ip,
    requestId: ctx.requestId,
    source: ctx.source,
  }
  const entries = [acts].flat().map((act) => ({ ...act, ...who }))
  if (entries.length > 0) ctx.beforeCommit(() => appendAudit(ctx.sql, entries))
}

import { anchorAudit, anchorStore } from '@outpost/platform/audit-anchors'
import { transactionIn } from '@outpost/platform/db/context'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { enqueue } from '@outpost/platform/outbox'
import type { Machine } from './machine.ts'

const day = 86_400_000

/** Anchors the audit chains of all companies, and has those verified that were not within the day. */
export async function watchAudit({ env, pools, log }: Pick<Machine, 'env' | 'pools' | 'log'>): Promise<void> {
  const companies = await anchorAudit(anchorStore(env.DATA_DIR, env.SECRET, env.SECRETS_BEFORE), pools, { log })
  for (const companyId of companies) {
    await transactionIn(pools.app, { company: companyId, scope: '*', user: null, tenant: null }, async (db) => {
      // Other workers have the same in mind.
      await takeTurn(db, `audit check of ${companyId}`)
      const asked = await db.maybe(sql`
        select 1 as one from audit_check where "companyId" = ${companyId}::uuid and "at" > now() - interval '20 hours'
        union all select 1 from outbox where "companyId" = ${companyId}::uuid and "type" = 'audit.verify' and "status" in ('pending', 'sent', 'running') limit 1`)
      if (!asked) await enqueue(db, { companyId, userId: null, type: 'audit.verify', payload: {} })
    })
  }
}

/** Does so at once and then every day, until it is stopped. */
export function startAuditWatch(machine: Pick<Machine, 'env' | 'pools' | 'log'>): { stop(): Promise<void> } {
  const pass = () =>
    watchAudit(machine).catch((error: unknown) => machine.log.error({ err: error }, 'the audit chains could not be anchored'))
  let running = pass()
  const timer = setInterval(() => {
    running = running.then(pass)
  }, day)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

import { enqueueJob } from '../../kernel/jobs/enqueue.ts'
import { emptyAnswer } from '../../kernel/resource/answers.ts'
import { anchorStore, verifyAudit } from '@outpost/platform/audit-anchors'
import { sql } from '@outpost/platform/db/sql'
import { defineArea, may, route } from '../../kernel/area.ts'
import { command, list, noInput } from '../../kernel/resource/operations.ts'
import { listOf, screen } from '../../kernel/screens/screen.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import type { Answer, Area, Ctx, JobDefinition } from '../../kernel/types.ts'
import type { Machine } from '../../machine.ts'
import { auditCheck } from './audit-check.resource.ts'

/** Breaks that one check keeps: the first ones say where to look. */
const maxBreaks = 200

/** Recomputes the company's audit chain, holds it against its anchors and keeps what it found; a break is also an error in the log. */
const verifyJob = ({ env }: Pick<Machine, 'env'>): JobDefinition => ({
  name: 'audit.verify',
  run: async (ctx) => {
    const { entries, anchors, breaks } = await verifyAudit(anchorStore(env.DATA_DIR, env.SECRET, env.SECRETS_BEFORE), ctx.sql, ctx.company.id)
    if (breaks.length > 0) ctx.log.error({ companyId: ctx.company.id, breaks: breaks.slice(0, 20) }, 'the audit chain of a company is broken')
    await ctx.sql.exec(sql`
      insert into audit_check ("companyId", "entries", "anchors", "breaks", "isWhole")
      values (${ctx.company.id}::uuid, ${entries}, ${anchors}, ${JSON.stringify(breaks.slice(0, maxBreaks))}::jsonb, ${breaks.length === 0})`)
  },
})

/** Asks for a look at the audit chain; its findings are in the list moments later. */
async function askForCheck(ctx: Ctx): Promise<Answer> {
  requireWholeCompany(ctx)
  await enqueueJob(ctx, 'audit.verify', {})
  return { data: {}, message: 'The audit chain is being checked', status: 202 }
}

const settings = may('ADMIN/SETTINGS')

/** The audit chain, as far as an administrator must look after it. */
export const auditArea = (machine: Pick<Machine, 'env'>): Area => defineArea({
  name: 'audit',
  resources: [auditCheck],
  routes: [
    route('audit.checks', 'GET', '/api/audit/checks', settings, list(auditCheck), { own: true, summary: 'What looks at the audit chain found' }),
    route('audit.check', 'POST', '/api/audit/checks', settings, command(noInput, askForCheck, emptyAnswer), { own: true, limit: 6, summary: 'Looks at the audit chain now' }),
  ],
  screens: [screen('/admin/audit', settings, listOf(auditCheck), { menu: { under: 'administration', label: 'Audit chain', icon: 'shield-check', order: 95 } })],
  jobs: [verifyJob(machine)],
})

import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import { companyDay } from '../../kernel/days.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { Moving, Row } from '../../kernel/workflow/types.ts'
import { assessmentDays, isRunOf } from '../leads/index.ts'

export interface Assessed {
  id: string
  outcome: string
  affordable: string | null
  /** Older than the company's days, or what a referral was decided to be is still open. */
  isOver: boolean
}

/** The newest assessment of the applicant by the calculator that the terms ask for. */
export async function assessmentFor(
  ctx: Ctx,
  { leadId, clientId, calculator }: { leadId: string | null; clientId: string | null; calculator: string | null },
): Promise<Assessed | undefined> {
  const days = await assessmentDays(ctx)
  return ctx.sql.maybe<Assessed & Record<string, unknown>>(sql`
    select r."id", r."outcome", r."affordable"::text as affordable, r."dateCreated" <= now() - make_interval(days => ${days}) as "isOver" from affordability_run r
    where r."companyId" = ${ctx.company.id}::uuid and ${isRunOf(ctx, { leadId, clientId })} and (${calculator}::text is null or r."calculator" = ${calculator})
    order by r."dateCreated" desc, r."id" desc limit 1`)
}

/** Why an application cannot be sent in yet, all that is missing at once; null when it can. */
export async function notReady(ctx: Ctx, { id, before }: Moving): Promise<string | null> {
  const found = await ctx.sql.one<{ state: string; calculator: string | null; until: string | null; missing: string[]; files: number }>(sql`
    select v."state", v."calculator", to_char(v."effectiveUntil", 'YYYY-MM-DD') as until,
      array(select p."name" from application_paper p where p."companyId" = ${ctx.company.id}::uuid and p."applicationId" = ${id}::uuid and not p."isReceived" order by p."position") as missing,
      (select count(*)::int from record_file f where f."companyId" = ${ctx.company.id}::uuid and f."objectType" = 'loanApplication' and f."objectId" = ${id}::uuid and f."removedAt" is null) as files
    from product_version v where v."companyId" = ${ctx.company.id}::uuid and v."id" = ${String(before['productVersionId'])}::uuid`)
  const over = found.state !== 'Published' || (found.until !== null && found.until < companyDay(ctx))
  const problems = [
    ...(over ? ['Its terms are no longer offered: save it again, and it takes those of today.'] : []),
    ...(found.missing.length > 0 ? [`Papers are missing: ${found.missing.join(', ')}.`] : []),
    ...(found.missing.length === 0 && found.files === 0 && (await hasPapers(ctx, id))
      ? ['The papers are ticked and no file is attached.']
      : []),
    ...(found.calculator === null ? [] : await unaffordable(ctx, before, found.calculator)),
  ]
  return problems.length === 0 ? null : problems.join(' ')
}

const hasPapers = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await ctx.sql.maybe(
    sql`select from application_paper where "companyId" = ${ctx.company.id}::uuid and "applicationId" = ${id}::uuid limit 1`,
  )) !== undefined

/** FAIL is final; what was referred goes to whoever decides, who sees it. */
async function unaffordable(ctx: Ctx, before: Row, calculator: string): Promise<string[]> {
  const run = await assessmentFor(ctx, {
    leadId: before['leadId'] as string | null,
    clientId: before['clientId'] as string | null,
    calculator,
  })
  if (!run) return ['There is no assessment of what the applicant can afford.']
  if (run.isOver) return ['The assessment is too old: make it again.']
  if (run.outcome === 'FAIL' || run.outcome === 'NONE') return [`The assessment came to ${run.outcome}.`]
  const instalment = new Decimal(String(before['instalment']))
  return run.affordable !== null && instalment.gt(run.affordable)
    ? [
        `The instalment of ${instalment.toFixed(2)} is above the ${new Decimal(run.affordable).toFixed(2)} that the applicant can afford a month.`,
      ]
    : []
}

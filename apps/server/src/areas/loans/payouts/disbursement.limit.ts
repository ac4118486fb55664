import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import type { Setting } from '../../../kernel/settings/define.ts'
import { settingOf } from '../../../kernel/settings/read.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Moving } from '../../../kernel/workflow/types.ts'

/** Up to which amount whoever asks for a disbursement may approve it too; 0 is none: always a second person. */
export const oneApprovesUpTo: Setting = {
  name: 'disbursementsOneApprovesUpTo',
  section: 'credit',
  label: 'Disbursements: one person asks and approves up to',
  help: 'Above it, and at 0 always, another person approves. Refunds of one loan count together. Nobody approves the payout of a loan that they opened without an application.',
  unit: '(in the money of the company)',
  min: 0,
  max: 999_999_999_999,
  standard: 0,
  level: 'company',
}

interface Asked {
  id: string
  loanId: string
  kind: string
  amount: string
}

/** Whether a second person has to approve a disbursement, by the limit as it is now. */
export async function needsSecond(ctx: Ctx, asked: Asked): Promise<boolean> {
  const limit = await settingOf(ctx, oneApprovesUpTo, ctx.company.id)
  return limit === 0 || (await sumOf(ctx, asked)).gt(limit)
}

/** Money is not under the limit because it is asked for in parts: other refunds of the loan that were not rejected count with this one. */
async function sumOf(ctx: Ctx, { id, loanId, kind, amount }: Asked): Promise<Decimal> {
  if (kind !== 'refund') return new Decimal(amount)
  const { others } = await ctx.sql.one<{ others: string }>(sql`
    select coalesce(sum("amount"), 0)::text as others from disbursement where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid and "id" <> ${id}::uuid
      and "kind" = 'refund' and "status" <> 'Rejected' and "deletedAt" is null`)
  return new Decimal(amount).plus(others)
}

/** The limit may be lower by now than when the money was asked for, and further refunds may have come. */
export const stillAlone = async (ctx: Ctx, { id, before }: Moving): Promise<boolean> =>
  !(await needsSecond(ctx, { id, loanId: String(before['loanId']), kind: String(before['kind']), amount: String(before['amount']) }))

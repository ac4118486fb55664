import { sql } from '@outpost/platform/db/sql'
import { isIdentifier } from '@outpost/rules/validation'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { disbursement } from './disbursement.resource.ts'
import { bookStray } from './stray.ts'

interface Paying {
  id: string
  status: string
  amount: string
  channel: string
  tenantId: string
  loanId: string
  providerReference: string | null
}

/** What a provider says became of a payout; the amount where it says one. */
export type PayoutOutcome = PaidOut | { isPaid: false; reason: string }
interface PaidOut {
  isPaid: true
  provider: string
  reference: string
  amount?: string | undefined
}

/**
 * Notes what became of a payout; false when there is none of that id. A success counts even after it had been taken for failed; one too many is booked as
 * money to be asked back.
 */
export async function noteOutcome(ctx: Ctx, disbursementId: string, outcome: PayoutOutcome): Promise<boolean> {
  const found = await payingOf(ctx, disbursementId)
  if (!found) return false
  if (!outcome.isPaid) {
    if (found.status === 'Sent') await make(ctx, found.id, 'fail', { status: 'Failed' }, { reason: outcome.reason })
    return true
  }
  const facts = { providerReference: outcome.reference, paidOn: today(ctx) }
  const told = { status: 'Confirmed', provider: outcome.provider, providerAmount: outcome.amount ?? null }
  if (found.status === 'Sent') await make(ctx, found.id, 'confirm', told, facts)
  else if (found.status === 'Failed') await make(ctx, found.id, 'confirmLate', { ...told, ...facts }, {})
  else if (found.status !== 'Confirmed' || found.providerReference !== facts.providerReference)
    await bookStray(ctx, {
      ...found,
      disbursementId: found.id,
      provider: outcome.provider,
      reference: outcome.reference,
      amount: outcome.amount ?? found.amount,
    })
  return true
}

/** No answer in time says nothing of the money: it stays sent, and its state has to be asked for. False when there is no payout of that id. */
export async function noteNoAnswer(ctx: Ctx, disbursementId: string): Promise<boolean> {
  const found = await payingOf(ctx, disbursementId)
  const statusReason = 'The provider gave no answer in time: ask for its state before anything else.'
  if (found?.status === 'Sent') await writeRecords(ctx, disbursement, [{ kind: 'update', id: found.id, input: { statusReason } }])
  return found !== undefined
}

function payingOf(ctx: Ctx, id: string): Promise<Paying | undefined> {
  if (!isIdentifier(id)) return Promise.resolve(undefined)
  return ctx.sql.maybe<Paying>(sql`
    select "id", "status", "amount"::text, "channel", "tenantId", "loanId", "providerReference" from disbursement
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null for update`)
}

const make = (ctx: Ctx, id: string, name: string, input: Record<string, unknown>, asked: Record<string, unknown>) =>
  writeRecords(ctx, disbursement, [{ kind: 'update', id, input, move: { field: 'status', name, asked } }])

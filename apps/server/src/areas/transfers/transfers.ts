import { Failure } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { noteTransfer, type Place } from '../../kernel/keeps/transfers.ts'
import { followTenant } from '../../kernel/relations/follow-tenant.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { client } from '../clients/index.ts'
import { moveBalancesToBranch, loan, lockLoan } from '../loans/index.ts'
import { placeFor } from './place.ts'

const common = {
  ids: z.array(idSchema).min(1).max(200),
  tenantId: idSchema.nullish(),
  reason: z.string().trim().min(1, 'is required').max(500),
}
export const loansInput = z.strictObject({ ...common, officerUserId: idSchema.nullish() })
export const clientsInput = z.strictObject({ ...common, assignedUserId: idSchema.nullish(), withLoans: z.boolean().nullish() })

/** Gives loans to another branch or officer, with a verdict on each: what one refusal is about stays as it was. */
export function transferLoans(ctx: Ctx, { ids, tenantId, officerUserId, reason }: z.infer<typeof loansInput>): Promise<Answer> {
  return eachOf(ctx, ids, 'loan', (inner, id) => moveLoan(inner, id, { tenantId, userId: officerUserId, reason }))
}

/** Gives clients to another branch or agent; with their loans that are not closed, where that is wanted. */
export function transferClients(
  ctx: Ctx,
  { ids, tenantId, assignedUserId, withLoans, reason }: z.infer<typeof clientsInput>,
): Promise<Answer> {
  return eachOf(ctx, ids, 'client', async (inner, id) => {
    const to = await moveClient(inner, id, { tenantId, userId: assignedUserId, reason })
    if (withLoans !== true) return
    // Of a written-off loan money still comes in: whoever has the client collects it.
    const loans = await inner.sql.query<{ id: string }>(sql`
      select "id" from loan where "companyId" = ${inner.company.id}::uuid and "clientId" = ${id}::uuid and "deletedAt" is null and "status" in ('Approved', 'Active', 'Overpaid', 'Written off')
        and ("tenantId" <> ${to.tenantId}::uuid or "officerUserId" is distinct from ${to.userId}::uuid) order by "number"`)
    for (const one of loans) await moveLoan(inner, one.id, { ...to, reason })
  })
}

interface Wanted {
  tenantId: string | null | undefined
  userId: string | null | undefined
  reason: string
}

async function moveLoan(ctx: Ctx, id: string, { reason, ...wanted }: Wanted): Promise<void> {
  // What is booked on it meanwhile is booked before, and goes with it, or after, where it is then.
  const account = await lockLoan(ctx, id)
  const record = await getRecord(ctx, loan, id)
  const from = { tenantId: String(record['tenantId']), userId: record['officerUserId'] as string | null }
  const to = await placeFor(ctx, from, { ...wanted, userField: 'officerUserId' })
  await updateRecord(ctx, loan, id, { tenantId: to.tenantId, officerUserId: to.userId })
  if (to.tenantId !== from.tenantId) {
    await takeAlong(ctx, id, to.tenantId)
    if (account) await moveBalancesToBranch(ctx, { ...account, tenantId: to.tenantId })
  }
  await noteTransfer(ctx, { one: loan.one, id, from, to, reason, label: record['productName'] as string | null })
  audit(ctx, { action: 'loan.transfer', objectType: loan.one, objectId: id, before: from, after: { ...to, reason } })
}

async function moveClient(ctx: Ctx, id: string, { reason, ...wanted }: Wanted): Promise<Place> {
  const record = await getRecord(ctx, client, id)
  const from = { tenantId: String(record['tenantId']), userId: record['assignedUserId'] as string | null }
  const to = await placeFor(ctx, from, { ...wanted, userField: 'assignedUserId' })
  await updateRecord(ctx, client, id, { tenantId: to.tenantId, assignedUserId: to.userId })
  await noteTransfer(ctx, { one: client.one, id, from, to, reason })
  audit(ctx, { action: 'client.transfer', objectType: client.one, objectId: id, before: from, after: { ...to, reason } })
  return to
}

/** Records of a loan that are filed where it is: whoever books on it must see them all. Of the ledger the balances move, by entries of their own. */
const ofLoan = {
  disbursement: 'disbursement',
  payment: 'payment',
  promise: 'payment_promise',
  loanChange: 'loan_change',
  settlement: 'settlement_quote',
  securitySale: 'security_sale',
  loanContact: 'loan_contact',
}

async function takeAlong(ctx: Ctx, loanId: string, tenantId: string): Promise<void> {
  for (const [one, table] of Object.entries(ofLoan)) {
    const rows = await ctx.sql.query<{ id: string }>(sql`
      update ${identifier(table)} set "tenantId" = ${tenantId}::uuid where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid returning "id"`)
    const moved = rows.map(({ id }) => ({ id, tenantId }))
    for (const kept of ['record_comment', 'record_file', 'record_move'])
      await followTenant(ctx, { table: kept, own: 'objectId', one }, moved)
  }
}

/** One after the other, each whole or not at all. */
async function eachOf(ctx: Ctx, ids: readonly string[], one: string, run: (ctx: Ctx, id: string) => Promise<void>): Promise<Answer> {
  return withStream(ctx, async (outer) => {
    const results: { Id: string; isDone: boolean; message?: string }[] = []
    for (const id of new Set(ids.map((given) => given.toLowerCase()))) {
      try {
        await outer.transaction((inner) => run(inner, id))
        results.push({ Id: id, isDone: true })
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        results.push({ Id: id, isDone: false, message: wordsOf(error) })
      }
    }
    const done = results.filter(({ isDone }) => isDone).length
    return { data: { results }, message: `${done} ${done === 1 ? one : `${one}s`} transferred` }
  })
}

const wordsOf = ({ message, more }: Failure) =>
  more.fields?.map(({ field, message: fault }) => `${labels.get(field) ?? field} ${fault}`).join(', ') ?? message
const labels = new Map([
  ['tenantId', 'To branch:'],
  ['officerUserId', 'To officer:'],
  ['assignedUserId', 'To agent:'],
])

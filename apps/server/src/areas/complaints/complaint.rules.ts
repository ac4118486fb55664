import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Pause, Severity } from '@outpost/rules/complaints/complaint-clocks'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import type { Moved } from '../../kernel/workflow/types.ts'
import { deadlinesOf, pausesOf } from './complaint.clocks.ts'

type Row = ModelRow<'complaint'>

const waiting = 'Waiting client'
const oldestDays = 366

/** Last look at a complaint: somebody complains, nobody judges their own case, and its deadlines follow from what happens to it. */
export async function prepareComplaint(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return fail('FORBIDDEN', { message: 'A complaint stays in the register.' })
  const row = { ...before, ...input }
  refuseOwnCase(ctx, row)
  const named = await namedLoan(ctx, row, before)
  Object.assign(row, named)
  if (!row.clientId && !row.complainantName?.trim())
    fail('INVALID', { fields: [{ field: 'complainantName', message: 'is required where no client is chosen' }] })
  if (kind === 'create') return { ...named, ...(await newComplaint(ctx, row)) }
  return before ? { ...named, ...(await changedComplaint(ctx, { before, row: Object.assign({ ...before }, input), id })) } : {}
}

/** Whom a complaint is about neither takes nor settles it; and does not learn of it by trying. */
function refuseOwnCase({ user, realUser }: Ctx, { accusedUserId, ownerUserId }: Partial<Row>): void {
  const accused = accusedUserId?.toLowerCase()
  if (!accused) return
  if (accused === user.id || accused === realUser.id)
    fail('INVALID', { fields: [{ field: 'accusedUserId', message: 'is you: let a colleague take this complaint' }] })
  if (ownerUserId?.toLowerCase() === accused)
    fail('INVALID', { fields: [{ field: 'ownerUserId', message: 'may not be the person whom it is about' }] })
}

/** The loan that a complaint names is its client's; client and product are those of the loan. */
async function namedLoan(ctx: Ctx, row: Partial<Row>, before: Row | undefined): Promise<Partial<Row>> {
  if (!row.loanId) return {}
  const isAsBefore = before && (['loanId', 'clientId', 'product'] as const).every((key) => (row[key] ?? null) === before[key])
  if (isAsBefore) return {}
  const loan = await ctx.sql.maybe<{ clientId: string; productName: string | null }>(sql`
    select "clientId", "productName" from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${row.loanId}::uuid and "deletedAt" is null`)
  // One out of reach is refused with its field by the check of all references.
  if (!loan) return {}
  if (row.clientId && row.clientId.toLowerCase() !== loan.clientId)
    fail('INVALID', { fields: [{ field: 'loanId', message: 'is not a loan of this client' }] })
  return { clientId: loan.clientId, ...(loan.productName ? { product: loan.productName.slice(0, 80) } : {}) }
}

async function newComplaint(ctx: Ctx, row: Partial<Row>): Promise<Partial<Row>> {
  const receivedAt = new Date(row.receivedAt ?? Date.now())
  const age = Date.now() - receivedAt.getTime()
  if (age < -300_000) fail('INVALID', { fields: [{ field: 'receivedAt', message: 'lies ahead' }] })
  if (age > oldestDays * 86_400_000) fail('INVALID', { fields: [{ field: 'receivedAt', message: 'is more than a year ago' }] })
  const clocked = { tenantId: ctx.tenant.id, severity: (row.severity ?? 'Medium') as Severity, receivedAt }
  const ownerUserId = row.ownerUserId ?? ctx.user.id
  return { receivedAt, ownerUserId, createdByUserId: ctx.user.id, ...(await deadlinesOf(ctx, clocked, { pauses: [] })) }
}

async function changedComplaint(ctx: Ctx, { before, row, id }: { before: Row; row: Row; id: string }): Promise<Partial<Row>> {
  const isMoved = row.status !== before.status
  if (!isMoved && row.severity === before.severity) return {}
  const now = Date.now()
  const pauses = pausesAfter(await pausesOf(ctx, id), { before, to: row.status, now })
  const { tenantId, receivedAt } = before
  const due = await deadlinesOf(ctx, { tenantId, receivedAt, severity: row.severity as Severity }, { pauses })
  return {
    resolutionDueAt: due.resolutionDueAt,
    ...(before.firstResponseAt ? {} : { firstResponseDueAt: due.firstResponseDueAt }),
    ...(isMoved ? stampsOf(row.status, now) : {}),
  }
}

function stampsOf(status: string, now: number): Partial<Row> {
  if (status === 'Resolved') return { resolvedAt: new Date(now), closedAt: null }
  if (status === 'Closed') return { closedAt: new Date(now) }
  return { resolvedAt: null, closedAt: null }
}

/** The pauses as they are once the complaint is in that state: those that storePauses() stores. */
function pausesAfter(pauses: readonly Pause[], { before, to, now }: { before: Row; to: string; now: number }): Pause[] {
  const settled = before.resolvedAt?.getTime()
  return [
    ...pauses.map((pause) => (pause.end === null && to !== waiting ? { ...pause, end: now } : pause)),
    ...(to === waiting && before.status !== waiting ? [{ start: now, end: null }] : []),
    ...(to === 'Reopened' && settled !== undefined ? [{ start: settled, end: now }] : []),
  ]
}

/** Stores what a move does to the clock of the resolution: it pauses while we wait for the client, and from a resolution until the complaint is opened again. */
export async function storePauses(ctx: Ctx, { id, from, to, before }: Moved): Promise<void> {
  const own = sql`"companyId" = ${ctx.company.id}::uuid and "complaintId" = ${id}::uuid`
  if (from === waiting) await ctx.sql.exec(sql`update complaint_pause set "endedAt" = now() where ${own} and "endedAt" is null`)
  if (to === waiting)
    await ctx.sql.exec(sql`
      insert into complaint_pause ("companyId", "complaintId", "reason", "startedAt") values (${ctx.company.id}::uuid, ${id}::uuid, ${waiting}, now())`)
  const settled = before['resolvedAt']
  if (to === 'Reopened' && settled instanceof Date)
    await ctx.sql.exec(sql`
      insert into complaint_pause ("companyId", "complaintId", "reason", "startedAt", "endedAt")
      values (${ctx.company.id}::uuid, ${id}::uuid, 'Resolved', ${settled}::timestamptz, greatest(now(), ${settled}::timestamptz))`)
}

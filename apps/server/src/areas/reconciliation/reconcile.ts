import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Statement } from '@outpost/platform/types'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { Change } from '../../kernel/resource/writing.ts'
import type { Ctx } from '../../kernel/types.ts'
import { notifyOfDifferences } from './difference.alert.ts'
import type { Found } from './found.ts'
import { moneyDifference } from './difference.resource.ts'
import { bookChecks } from './loan.checks.ts'
import { providerCheck } from './provider.check.ts'
import { statementCheck } from './statement.check.ts'

/** So many differences of one check are stored: whoever has more has one fault, not many. */
const mostOfCheck = 5_000
/** So many are written at once. */
const batch = 500

export interface Reconciled {
  /** Loans that were looked at. */
  loans: number
  open: number
  fresh: number
  gone: number
  /** The moment that new ones were found at, and those that are no more were gone. */
  at: string
}

/**
 * Compares schedule, ledger, balances and statements of the company, and brings the stored differences to what it finds: new ones are opened and notified to those who may see
 * them, those that are no more are ended. Any number of runs, at once or one after the other, end in the same rows. In the caller's transaction.
 */
export async function reconcile(ctx: Ctx): Promise<Reconciled> {
  await takeTurn(ctx.sql, `reconcile ${ctx.company.id}`)
  // The checks read whole tables: on large books longer than a screen may.
  await ctx.sql.exec(sql`select set_config('statement_timeout', '300000', true)`)
  const found: Found[] = []
  for (const check of [...bookChecks(ctx), providerCheck(ctx), statementCheck(ctx)]) found.push(...(await differencesBy(ctx, check)))
  const stored = await storedOf(ctx)
  const at = new Date().toISOString()
  const changes = changesFor(found, stored, at)
  for (const some of chunksOf([...changes.fresh.map(({ change }) => change), ...changes.ended]))
    await writeRecords(ctx, moneyDifference, some)
  await notifyOfDifferences(
    ctx,
    changes.fresh.map(({ found: one }) => one),
    at,
  )
  const { loans } = await ctx.sql.one<{ loans: number }>(
    sql`select count(*)::int as loans from loan where "companyId" = ${ctx.company.id}::uuid and "deletedAt" is null and "disbursedOn" is not null`,
  )
  return { loans, open: found.length - acceptedOf(changes, found, stored), fresh: changes.fresh.length, gone: changes.ended.length, at }
}

const differencesBy = (ctx: Ctx, check: Statement) =>
  ctx.sql.query<Found & Record<string, unknown>>(
    sql`select f.*, f.stated::text as stated, f.booked::text as booked from (${check}) f order by f.key limit ${mostOfCheck}`,
  )

interface Stored {
  id: string
  key: string
  status: string
  stated: string | null
  booked: string | null
}
const storedOf = (ctx: Ctx) =>
  ctx.sql.query<Stored & Record<string, unknown>>(
    sql`select "id", "key", "status", "stated"::text, "booked"::text from money_difference where "companyId" = ${ctx.company.id}::uuid`,
  )

interface Changes {
  fresh: { found: Found; change: Change }[]
  ended: Change[]
}

/** What is new, what is back or has other amounts than were accepted, and what is no more. */
function changesFor(found: readonly Found[], stored: readonly Stored[], now: string): Changes {
  const known = new Map(stored.map((one) => [one.key, one]))
  const present = new Set(found.map(({ key }) => key))
  const fresh = found.flatMap((one) => {
    const change = changeFor(one, known.get(one.key), now)
    return change ? [{ found: one, change }] : []
  })
  const ended = stored
    .filter(({ key, status }) => status !== 'Gone' && !present.has(key))
    .map(({ id }): Change => ({
      kind: 'update',
      id,
      input: { status: 'Gone', goneAt: now },
      move: { field: 'status', name: 'end', asked: {} },
    }))
  return { fresh, ended }
}

/** How many of what was found a person accepted as it is: those are not open. */
function acceptedOf({ fresh }: Changes, found: readonly Found[], stored: readonly Stored[]): number {
  const isAccepted = new Set(stored.filter(({ status }) => status === 'Accepted').map(({ key }) => key))
  for (const { found: one } of fresh) isAccepted.delete(one.key)
  return found.filter(({ key }) => isAccepted.has(key)).length
}

function changeFor(one: Found, before: Stored | undefined, now: string): Change | undefined {
  if (!before) return { kind: 'create', input: {}, columns: { ...one, foundAt: now, status: 'Open' } }
  const isSame = Number(before.stated) === Number(one.stated) && Number(before.booked) === Number(one.booked)
  if (before.status !== 'Gone' && isSame) return undefined
  const { key: _, ...facts } = one
  const input = { ...facts, foundAt: now, goneAt: null, statusReason: null }
  if (before.status === 'Open') return { kind: 'update', id: before.id, input }
  return { kind: 'update', id: before.id, input: { ...input, status: 'Open' }, move: { field: 'status', name: 'return', asked: {} } }
}

function* chunksOf(changes: readonly Change[]): Generator<Change[]> {
  for (let at = 0; at < changes.length; at += batch) yield changes.slice(at, at + batch)
}

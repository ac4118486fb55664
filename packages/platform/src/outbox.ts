import { randomUUIDv7 } from 'node:crypto'
import { sql as statement } from './db/sql.ts'
import type { Sql } from './types.ts'

/** A job or message to run once the transaction it is written in has committed. */
export interface OutboxEntry {
  companyId: string
  /** Who the job works for; null for the program itself. */
  userId: string | null
  /** Name of a job: area.verb. */
  type: string
  /** Ids only, never a secret or personal data. `tenantId` in it becomes the tenant of the job's ctx. */
  payload: Record<string, unknown>
  runAt?: Date
}

/** Channel on which a committed entry wakes the relay. */
export const outboxChannel = 'outbox'

/** How often a job is tried, and how long it waits before each new try: 1 s, 6 s, 36 s, 216 s (at most 5 min). */
export const maxAttempts = 5
export const retryDelayMs = (attempt: number) => Math.min(1_000 * 6 ** (attempt - 1), 300_000)

/**
 * Writes jobs down in the transaction that sql belongs to: they run exactly when it commits. Gives their ids.
 * The wake-up leaves with the commit, so a job starts within milliseconds.
 */
export async function enqueue(sql: Sql, entry: OutboxEntry | readonly OutboxEntry[]): Promise<string[]> {
  const entries = Array.isArray(entry) ? (entry as readonly OutboxEntry[]) : [entry as OutboxEntry]
  if (entries.length === 0) return []
  const rows = entries.map((one) => ({ ...one, id: randomUUIDv7(), runAt: (one.runAt ?? new Date()).toISOString() }))
  await sql.exec(statement`
    insert into outbox ("companyId", "id", "type", "payload", "userId", "runAt")
    select "companyId", "id", "type", "payload", "userId", "runAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given("companyId" uuid, "id" uuid, "type" text, "payload" jsonb, "userId" uuid, "runAt" timestamptz)`)
  await sql.exec(statement`select pg_notify(${outboxChannel}, '')`)
  return rows.map((row) => row.id)
}

/** What travels through the queue: which entry, which try, for whom. The payload is read from the row. */
export interface OutboxTicket { companyId: string, id: string, type: string, userId: string | null, attempt: number }

/** True when this try still owns the entry; locks the row, so that it can be finished in the same transaction. */
export async function claimOutbox(sql: Sql, ticket: OutboxTicket): Promise<Record<string, unknown> | undefined> {
  const row = await sql.maybe<{ payload: Record<string, unknown> }>(statement`
    select "payload" from outbox where "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid
      and "status" = 'sent' and "attempt" = ${ticket.attempt} for update`)
  return row?.payload
}

/** Ends an entry well. False when the try had lost it: then the effects of the transaction must not stay. */
export async function finishOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const touched = await sql.exec(statement`
    update outbox set "status" = 'done', "doneAt" = now(), "leaseUntil" = null, "lastError" = null
    where "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "status" = 'sent' and "attempt" = ${ticket.attempt}`)
  return touched === 1
}

/** Ends a try badly: waits for the next one, or lies dead after the last. Gives the state it is in now. */
export async function failOutbox(sql: Sql, ticket: OutboxTicket, error: string, isHopeless = false): Promise<'new' | 'dead'> {
  const state = isHopeless || ticket.attempt >= maxAttempts ? 'dead' : 'new'
  await sql.exec(statement`
    update outbox set "status" = ${state}, "leaseUntil" = null, "lastError" = ${error.slice(0, 2_000)},
      "runAt" = now() + ${retryDelayMs(ticket.attempt)} * interval '1 millisecond'
    where "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "status" = 'sent' and "attempt" = ${ticket.attempt}`)
  return state
}

/** Keeps a long job from being taken for lost. False when it has been: the job must stop. */
export async function extendLease(sql: Sql, ticket: OutboxTicket, leaseMs: number): Promise<boolean> {
  const touched = await sql.exec(statement`
    update outbox set "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond'
    where "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "status" = 'sent' and "attempt" = ${ticket.attempt}`)
  return touched === 1
}

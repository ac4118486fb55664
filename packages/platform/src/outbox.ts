import { randomUUIDv7 } from 'node:crypto'
import { sql as statement } from './db/sql.ts'
import { traceparent } from './trace.ts'
import type { Sql } from './types.ts'

/** A job or message that runs once the transaction it is written in has committed. */
export interface OutboxEntry {
  companyId: string
  /** The user the job works for; null for the program itself. */
  userId: string | null
  /** Name of a job: area.verb. */
  type: string
  /** Ids only, never a secret or personal data. `tenantId` in it becomes the tenant of the job's ctx. */
  payload: Record<string, unknown>
  runAt?: Date
}

/** The channel on which a committed entry wakes the relay. */
export const outboxChannel = 'outbox'

/** An entry ends after this many failed tries; the wait grows after each: 1 s, 6 s, 36 s, 216 s. */
export const maxFailures = 5
export const retryDelaysMs = [1_000, 6_000, 36_000, 216_000, 300_000]

/**
 * Writes jobs in the transaction of sql: they run exactly when it commits. Returns their ids. The wake-up is sent with the commit, so a
 * job starts within milliseconds.
 */
export async function enqueue(sql: Sql, entry: OutboxEntry | readonly OutboxEntry[]): Promise<string[]> {
  const entries = Array.isArray(entry) ? (entry as readonly OutboxEntry[]) : [entry as OutboxEntry]
  if (entries.length === 0) return []
  const rows = entries.map((one) => ({ ...one, trace: traceparent(), id: randomUUIDv7(), runAt: (one.runAt ?? new Date()).toISOString() }))
  await sql.exec(statement`
    insert into outbox ("companyId", "id", "type", "payload", "trace", "userId", "runAt")
    select "companyId", "id", "type", "payload", "trace", "userId", "runAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given("companyId" uuid, "id" uuid, "type" text, "payload" jsonb, "trace" text, "userId" uuid, "runAt" timestamptz)`)
  await sql.exec(statement`select pg_notify(${outboxChannel}, '')`)
  return rows.map((row) => row.id)
}

/** What the queue carries: which entry, which try, for whom. The payload is read from the row. */
export interface OutboxTicket {
  companyId: string
  id: string
  type: string
  userId: string | null
  attempt: number
}

const isOurs = (ticket: OutboxTicket) => statement`
  "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "attempt" = ${ticket.attempt}`

export interface StartedTry {
  /** Includes the number of this try, by which it owns the entry from now on. */
  ticket: OutboxTicket
  payload: Record<string, unknown>
  /** The trace that it continues. */
  trace: string | null
}

/**
 * Starts a try; undefined when the entry already runs, has ended, or waits for its next turn. A ticket that waited so long that the
 * entry was sent again is as good as the newer one: the first to arrive starts it.
 */
export async function startOutbox(sql: Sql, ticket: OutboxTicket, leaseMs: number): Promise<StartedTry | undefined> {
  const row = await sql.maybe<{ payload: Record<string, unknown>; trace: string | null; attempt: number }>(statement`
    update outbox set "status" = 'running', "attempt" = "attempt" + 1, "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond'
    where "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "status" = 'sent' returning "payload", "trace", "attempt"`)
  return row && { ticket: { ...ticket, attempt: row.attempt }, payload: row.payload, trace: row.trace }
}

/** True while the try owns its entry; locks it until the transaction ends, so that nobody takes it away. */
export async function holdOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const row = await sql.maybe(statement`select from outbox where ${isOurs(ticket)} and "status" = 'running' for update`)
  return row !== undefined
}

/** The same for a transaction of a long job: its other transactions may run at the same time. */
export async function shareOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const row = await sql.maybe(statement`select from outbox where ${isOurs(ticket)} and "status" = 'running' for share`)
  return row !== undefined
}

/** True while the try owns its entry; locks nothing. */
export async function ownsOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const row = await sql.maybe(statement`select from outbox where ${isOurs(ticket)} and "status" = 'running'`)
  return row !== undefined
}

/** Marks an entry as done. False when the try had lost it: then the transaction must be rolled back. */
export async function finishOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const touched = await sql.exec(statement`
    update outbox set "status" = 'done', "doneAt" = now(), "leaseUntil" = null, "lastError" = null where ${isOurs(ticket)} and "status" = 'running'`)
  return touched === 1
}

/**
 * Marks a try as failed: the entry waits for the next one, longer each time, or is dead after the fifth failure or when a retry is
 * hopeless. Returns its state; undefined when the try had lost it.
 */
export async function failOutbox(sql: Sql, ticket: OutboxTicket, error: string, isHopeless = false): Promise<'new' | 'dead' | undefined> {
  const row = await sql.maybe<{ status: 'new' | 'dead' }>(statement`
    update outbox set "status" = case when ${isHopeless} or "failures" + 1 >= ${maxFailures} then 'dead' else 'new' end,
      "failures" = "failures" + 1, "leaseUntil" = null, "lastError" = ${error.slice(0, 2_000)},
      "runAt" = now() + (${retryDelaysMs}::int[])["failures" + 1] * interval '1 millisecond'
    where ${isOurs(ticket)} and "status" = 'running' returning "status"`)
  return row?.status
}

/** Extends the lease of a long job. False when the job was already considered lost: it must stop. */
export async function extendLease(sql: Sql, ticket: OutboxTicket, leaseMs: number): Promise<boolean> {
  const touched = await sql.exec(statement`
    update outbox set "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond' where ${isOurs(ticket)} and "status" = 'running'`)
  return touched === 1
}

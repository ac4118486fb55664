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

/** So many failed tries are the end of an entry; after each it waits longer: 1 s, 6 s, 36 s, 216 s. */
export const maxFailures = 5
export const retryDelaysMs = [1_000, 6_000, 36_000, 216_000, 300_000]

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

const isOurs = (ticket: OutboxTicket) => statement`
  "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "attempt" = ${ticket.attempt}`

export interface StartedTry {
  /** With the number of this try, by which it owns the entry from now on. */
  ticket: OutboxTicket
  payload: Record<string, unknown>
}

/**
 * Starts a try; undefined when the entry runs already, ended, or waits for its next turn. A ticket that lay so long in
 * the queue that the entry was sent once more is as good as the newer one: the first to come starts it.
 */
export async function startOutbox(sql: Sql, ticket: OutboxTicket, leaseMs: number): Promise<StartedTry | undefined> {
  const row = await sql.maybe<{ payload: Record<string, unknown>, attempt: number }>(statement`
    update outbox set "status" = 'running', "attempt" = "attempt" + 1, "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond'
    where "companyId" = ${ticket.companyId}::uuid and "id" = ${ticket.id}::uuid and "status" = 'sent' returning "payload", "attempt"`)
  return row && { ticket: { ...ticket, attempt: row.attempt }, payload: row.payload }
}

/** True while the try owns its entry; locks it until the transaction ends, so that nobody takes it away meanwhile. */
export async function holdOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const row = await sql.maybe(statement`select from outbox where ${isOurs(ticket)} and "status" = 'running' for update`)
  return row !== undefined
}

/** The same for a transaction of a long job: its other transactions may go on beside it. */
export async function shareOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const row = await sql.maybe(statement`select from outbox where ${isOurs(ticket)} and "status" = 'running' for share`)
  return row !== undefined
}

/** True while the try owns its entry; locks nothing. */
export async function ownsOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const row = await sql.maybe(statement`select from outbox where ${isOurs(ticket)} and "status" = 'running'`)
  return row !== undefined
}

/** Ends an entry well. False when the try had lost it: then the effects of the transaction must not stay. */
export async function finishOutbox(sql: Sql, ticket: OutboxTicket): Promise<boolean> {
  const touched = await sql.exec(statement`
    update outbox set "status" = 'done', "doneAt" = now(), "leaseUntil" = null, "lastError" = null where ${isOurs(ticket)} and "status" = 'running'`)
  return touched === 1
}

/**
 * Ends a try badly: the entry waits for the next one, longer each time, or lies dead after the fifth failure or when
 * trying again is hopeless. Gives the state it is in now; undefined when the try had lost it.
 */
export async function failOutbox(sql: Sql, ticket: OutboxTicket, error: string, isHopeless = false): Promise<'new' | 'dead' | undefined> {
  const row = await sql.maybe<{ status: 'new' | 'dead' }>(statement`
    update outbox set "status" = case when ${isHopeless} or "failures" + 1 >= ${maxFailures} then 'dead' else 'new' end,
      "failures" = "failures" + 1, "leaseUntil" = null, "lastError" = ${error.slice(0, 2_000)},
      "runAt" = now() + (${retryDelaysMs}::int[])["failures" + 1] * interval '1 millisecond'
    where ${isOurs(ticket)} and "status" = 'running' returning "status"`)
  return row?.status
}

/** Keeps a long job from being taken for lost. False when it has been: the job must stop. */
export async function extendLease(sql: Sql, ticket: OutboxTicket, leaseMs: number): Promise<boolean> {
  const touched = await sql.exec(statement`
    update outbox set "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond' where ${isOurs(ticket)} and "status" = 'running'`)
  return touched === 1
}

import { named, sql as statement } from './db/sql.ts'
import type { Sql } from './types.ts'

/** One audited act: who, who really, on what, before and after. */
export interface AuditEntry {
  companyId: string
  /** Null when the program itself acts. */
  userId: string | null
  /** The real user behind an impersonated one; defaults to the user. */
  realUserId?: string | null
  /** area.verb, e.g. lead.update */
  action: string
  objectType: string
  objectId?: string | null
  before?: unknown
  after?: unknown
  ip?: string | null
  requestId?: string | null
  /** The source of the write: online, sync, import, job, seed. */
  source?: string | null
}

/** A row whose hash does not match its contents and its predecessor. */
export interface AuditBreak {
  companyId: string
  seq: number
  reason: 'content' | 'chain' | 'gap'
}

/**
 * Appends rows to a company's chain, in the transaction of sql. Each row's hash covers its contents and the hash before it, so a changed
 * or missing row is detected. Must be the last step of the transaction, because it holds the chain's lock until the commit. All entries
 * must be of one company. Secrets are redacted before.
 */
export async function appendAudit(sql: Sql, entry: AuditEntry | readonly AuditEntry[]): Promise<void> {
  const entries = Array.isArray(entry) ? (entry as readonly AuditEntry[]) : [entry as AuditEntry]
  const companyId = entries[0]?.companyId
  if (companyId === undefined) return
  // A separate statement: the next one must see what the previous holder of the lock committed. Both are sent at once.
  const lock = sql.exec(named('audit.lock', statement`select pg_advisory_xact_lock(hashtextextended('audit ' || ${companyId}::text, 0))`))
  const append = sql.exec(
    named(
      'audit.append',
      statement`
    with last as materialized (
      select coalesce(l."seq", 0) as seq, coalesce(l."hash", ''::bytea) as hash, date_trunc('milliseconds', clock_timestamp()) as at
      from (select 1) one left join lateral
        (select "seq", "hash" from public.audit_log where "companyId" = ${companyId}::uuid order by "seq" desc limit 1) l on true
    ), chain as (
      select n, last.seq + n as seq, last.at, last.hash as first, entry,
        ctx.audit_chain(last.hash, jsonb_build_array(last.seq + n, extract(epoch from last.at), entry)) over (order by n) as hash
      from last, jsonb_array_elements(${JSON.stringify(entries.map(toRow))}::jsonb) with ordinality as e(entry, n)
    )
    insert into public.audit_log ("companyId", "seq", "at", "userId", "realUserId", "action", "objectType", "objectId", "before",
      "after", "ip", "requestId", "source", "previousHash", "hash")
    select ${companyId}::uuid, seq, at, (entry ->> 0)::uuid, (entry ->> 1)::uuid, entry ->> 2, entry ->> 3, entry ->> 4,
      nullif(entry -> 5, 'null'), nullif(entry -> 6, 'null'), entry ->> 7, entry ->> 8, entry ->> 9,
      coalesce(lag(hash) over (order by n), first), hash
    from chain order by n`,
    ),
  )
  await Promise.all([lock, append])
}

/**
 * Recomputes the chain of the company in context and returns the rows that do not match; none when it is intact. Reads every row: for a
 * job, not for a request.
 */
export async function verifyAuditChain(sql: Pick<Sql, 'query'>): Promise<AuditBreak[]> {
  return sql.query<{ companyId: string; seq: number; reason: AuditBreak['reason'] }>(statement`
    select "companyId", "seq", case when not "isWhole" then 'content' when not "isLinked" then 'chain' else 'gap' end as reason
    from (
      select "companyId", "seq",
        "hash" = sha256("previousHash" || convert_to(jsonb_build_array("seq", extract(epoch from "at"), jsonb_build_array(
          "userId", "realUserId", "action", "objectType", "objectId", "before", "after", "ip", "requestId")
          || case when "source" is null then '[]'::jsonb else jsonb_build_array("source") end)::text, 'UTF8')) as "isWhole",
        "previousHash" = coalesce(lag("hash") over chain, ''::bytea) as "isLinked",
        "seq" = coalesce(lag("seq") over chain, 0) + 1 as "isNext"
      from public.audit_log window chain as (partition by "companyId" order by "seq")
    ) checked
    where not ("isWhole" and "isLinked" and "isNext") order by "companyId", "seq"`)
}

const secretKey = /password|secret|token|hash|cookie|authorization|ticket/i

/** Redacts every value, at any depth, whose key is named like a secret. */
export function redactSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactSecrets)
  if (value instanceof Date || value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, secretKey.test(key) ? '[struck out]' : redactSecrets(part)]))
}

/** Must have the order in which verifyAuditChain concatenates the columns. */
function toRow(entry: AuditEntry): unknown[] {
  return [
    entry.userId,
    entry.realUserId ?? entry.userId,
    entry.action,
    entry.objectType,
    entry.objectId ?? null,
    redactSecrets(entry.before) ?? null,
    redactSecrets(entry.after) ?? null,
    entry.ip ?? null,
    entry.requestId ?? null,
    // Rows from before `source` existed do not contain it: their hashes stay valid.
    ...(entry.source ? [entry.source] : []),
  ]
}

import { named, sql as statement } from './db/sql.ts'
import type { Sql } from './types.ts'

/** What is written down about one act: who, really who, on what, before and after. */
export interface AuditEntry {
  companyId: string
  /** Null for the program itself. */
  userId: string | null
  /** The person behind an impersonated user; the user when left out. */
  realUserId?: string | null
  /** area.verb, e.g. lead.update */
  action: string
  objectType: string
  objectId?: string | null
  before?: unknown
  after?: unknown
  ip?: string | null
  requestId?: string | null
  /** The door it came through: online, sync, import, job, seed. */
  source?: string | null
}

/** A row whose hash no longer follows from its contents and its forerunner. */
export interface AuditBreak { companyId: string, seq: number, reason: 'content' | 'chain' | 'gap' }

/**
 * Adds rows to a company's chain, in the transaction that sql belongs to. Each row's hash covers its contents and
 * the hash before it, so a changed or missing row shows. Take it as the last step of the transaction: it holds the
 * chain's lock until the commit. All entries must be of one company. Secrets are struck out before they get here.
 */
export async function appendAudit(sql: Sql, entry: AuditEntry | readonly AuditEntry[]): Promise<void> {
  const entries = Array.isArray(entry) ? (entry as readonly AuditEntry[]) : [entry as AuditEntry]
  const companyId = entries[0]?.companyId
  if (companyId === undefined) return
  // A statement of its own: the next one must see what the holder before us has committed. Both leave at once.
  const lock = sql.exec(named('audit.lock', statement`select pg_advisory_xact_lock(hashtextextended('audit ' || ${companyId}::text, 0))`))
  const append = sql.exec(named('audit.append', statement`
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
    from chain order by n`))
  await Promise.all([lock, append])
}

/**
 * Recomputes the chain of the company in context and gives the rows that do not fit; none when all is well.
 * Reads every row: for a job, not for a request.
 */
export async function verifyAuditChain(sql: Sql): Promise<AuditBreak[]> {
  return sql.query<{ companyId: string, seq: number, reason: AuditBreak['reason'] }>(statement`
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

/** The same value with everything struck out that is named like a secret, however deep. */
export function strikeSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strikeSecrets)
  if (value instanceof Date || value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, secretKey.test(key) ? '[struck out]' : strikeSecrets(part)]),
  )
}

/** The order here is the order in which verifyAuditChain puts the columns together. */
function toRow(entry: AuditEntry): unknown[] {
  return [
    entry.userId, entry.realUserId ?? entry.userId, entry.action, entry.objectType, entry.objectId ?? null,
    strikeSecrets(entry.before) ?? null, strikeSecrets(entry.after) ?? null, entry.ip ?? null, entry.requestId ?? null,
    // Rows of before there was a source do without: their hashes stay as they are.
    ...(entry.source ? [entry.source] : []),
  ]
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { verifyAuditChain, type AuditBreak } from './audit.ts'
import { readIn } from './db/context.ts'
import type { Pools } from './db/pool.ts'
import { sql as statement } from './db/sql.ts'
import { deriveKeys, type MasterSecrets } from './keys.ts'
import type { Log } from './log.ts'
import type { Sql } from './types.ts'

/**
 * The end of a company's audit chain at a time. Stored outside the database, so that whoever writes there cannot alter the chain
 * unnoticed.
 */
export interface Anchor {
  at: string
  companyId: string
  seq: number
  /** Hash of the last entry, hex. */ hash: string
  /** MAC over all fields and the previous anchor. */ mac: string
}

export interface AnchorStore {
  folder: string
  /** The first makes anchors; those of the others still count. */
  secrets: MasterSecrets
}

export interface AuditFinding {
  entries: number
  anchors: number
  breaks: (Omit<AuditBreak, 'reason'> & { reason: AuditBreak['reason'] | 'truncated' | 'rewritten' | 'anchor' })[]
}

export const anchorStore = (dataDir: string, secret: string, former: readonly string[] = []): AnchorStore => ({
  folder: join(dataDir, 'audit'),
  secrets: [secret, ...former],
})
const fileOf = ({ folder }: AnchorStore) => join(folder, 'anchors.jsonl')

/** Reads the anchors of all companies, oldest first. isWhole is false when one was changed, removed or inserted. */
export async function readAnchors(store: AnchorStore): Promise<{ anchors: Anchor[]; isWhole: boolean }> {
  const text = await readFile(fileOf(store), 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? '' : Promise.reject(error),
  )
  const anchors: Anchor[] = []
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const anchor = readLine(line)
    if (!anchor || !macsOf(store, anchor, anchors.at(-1)?.mac).some((mac) => isSame(anchor.mac, mac))) return { anchors, isWhole: false }
    anchors.push(anchor)
  }
  return { anchors, isWhole: true }
}

export type AuditPools = Pick<Pools, 'app' | 'auth'>
type Head = Pick<Anchor, 'companyId' | 'seq' | 'hash'>

/** Reads the last entry of each company, within that company: no role sees the chains of all. */
async function headsOf({ app }: AuditPools, companies: readonly string[]): Promise<Head[]> {
  const heads: Head[] = []
  for (const company of companies) {
    heads.push(
      ...(await readIn<Head>(
        app,
        { company, scope: '*', user: null, tenant: null },
        statement`
      select "companyId", "seq", encode("hash", 'hex') as "hash" from public.audit_log where "companyId" = ${company}::uuid order by "seq" desc limit 1`,
      )),
    )
  }
  return heads
}

/** Companies that have or had an audit chain. */
export async function knownCompanies(store: AnchorStore, { auth }: AuditPools): Promise<string[]> {
  const { rows } = await auth.query<{ companyId: string }>('select distinct "companyId" from public.tenant order by 1')
  return [...new Set([...rows, ...(await readAnchors(store)).anchors].map(({ companyId }) => companyId))]
}

/**
 * Anchors the chains of all companies that have grown since; also logs the anchors, so that a copy exists elsewhere. Returns all
 * companies that have or had a chain.
 */
export async function anchorAudit(
  store: AnchorStore,
  pools: AuditPools,
  { log, now = new Date() }: { log: Log; now?: Date },
): Promise<string[]> {
  const companies = await knownCompanies(store, pools)
  const client = await pools.auth.connect()
  try {
    await client.query(`begin; select pg_advisory_xact_lock(hashtextextended('audit anchors', 0))`)
    const heads = await headsOf(pools, companies)
    const { anchors, isWhole } = await readAnchors(store)
    if (!isWhole)
      log.error(
        { readable: anchors.length },
        'the audit anchors do not fit each other: none is added until somebody has looked (npm run audit:verify)',
      )
    if (isWhole) await addAnchors(store, anchors, heads, { log, now })
    return companies
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error: unknown) => client.release(error as Error),
    )
  }
}

async function addAnchors(
  store: AnchorStore,
  anchors: readonly Anchor[],
  heads: readonly Head[],
  { log, now }: { log: Log; now: Date },
): Promise<void> {
  const last = new Map(anchors.map(({ companyId, hash }) => [companyId, hash]))
  let previous = anchors.at(-1)?.mac
  const fresh: Anchor[] = []
  for (const head of heads.filter(({ companyId, hash }) => last.get(companyId) !== hash)) {
    const bare = { at: now.toISOString(), companyId: head.companyId, seq: Number(head.seq), hash: head.hash }
    const [mac = ''] = macsOf(store, bare, previous)
    previous = mac
    fresh.push({ ...bare, mac })
  }
  await mkdir(dirname(fileOf(store)), { recursive: true, mode: 0o700 })
  if (fresh.length > 0)
    await appendFile(fileOf(store), `${fresh.map((anchor) => JSON.stringify(anchor)).join('\n')}\n`, { mode: 0o600, flush: true })
  for (const anchor of fresh) log.info({ anchor: { ...anchor } }, 'audit chain anchored')
}

/**
 * Recomputes the chain of the company in context and compares it with the anchors: finds a changed, removed or inserted entry, a
 * truncated end, a chain that was deleted or rewritten. Reads every row: for a job, not for a request.
 */
export async function verifyAudit(store: AnchorStore, sql: Sql, companyId: string): Promise<AuditFinding> {
  const { anchors, isWhole } = await readAnchors(store)
  const own = anchors.filter((anchor) => anchor.companyId === companyId)
  const { entries } = await sql.one<{ entries: number }>(
    statement`select count(*) as entries from public.audit_log where "companyId" = ${companyId}::uuid`,
  )
  const lost = await sql.query<{ seq: number; reason: 'truncated' | 'rewritten' }>(statement`
    select distinct a."seq", case when l."seq" is null then 'truncated' else 'rewritten' end as reason
    from json_to_recordset(${JSON.stringify(own)}::json) as a("seq" bigint, "hash" text)
    left join public.audit_log l on l."companyId" = ${companyId}::uuid and l."seq" = a."seq"
    where l."seq" is null or encode(l."hash", 'hex') <> a."hash" order by a."seq"`)
  const breaks: AuditFinding['breaks'] = [...(await verifyAuditChain(sql)), ...lost.map((one) => ({ companyId, ...one }))]
  if (!isWhole) breaks.push({ companyId, seq: own.at(-1)?.seq ?? 0, reason: 'anchor' })
  return { entries, anchors: own.length, breaks }
}

function readLine(line: string): Anchor | undefined {
  try {
    const { at, companyId, seq, hash, mac } = JSON.parse(line) as Record<string, unknown>
    const isAnchor = [at, companyId, hash, mac].every((part) => typeof part === 'string') && typeof seq === 'number'
    return isAnchor ? ({ at, companyId, seq, hash, mac } as Anchor) : undefined
  } catch {
    return undefined
  }
}

const macsOf = ({ secrets }: AnchorStore, { at, companyId, seq, hash }: Omit<Anchor, 'mac'>, previous = ''): string[] =>
  deriveKeys(secrets, 'audit anchors').map((key) =>
    createHmac('sha256', key)
      .update(JSON.stringify([previous, at, companyId, seq, hash]))
      .digest('hex'),
  )

/**
 * Writes all anchors anew under the first secret, in place of those that hold under one of its secrets; returns how many. The file is replaced at once, so a
 * kill leaves the old one or the new one. Throws when the anchors do not fit each other: somebody must look first. Call it where no server adds any: under
 * the lock of anchorAudit.
 */
export async function resealAnchors(store: AnchorStore): Promise<number> {
  const { anchors, isWhole } = await readAnchors(store)
  if (!isWhole) throw new Error('the audit anchors do not fit each other: npm run audit:verify says where')
  if (anchors.length === 0) return 0
  const lines: string[] = []
  let previous: string | undefined
  for (const { mac: _, ...bare } of anchors) {
    const [mac = ''] = macsOf(store, bare, previous)
    previous = mac
    lines.push(JSON.stringify({ ...bare, mac }))
  }
  const temporary = `${fileOf(store)}.${process.pid}.new`
  await writeFile(temporary, `${lines.join('\n')}\n`, { mode: 0o600, flush: true })
  await rename(temporary, fileOf(store))
  return anchors.length
}

const isSame = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

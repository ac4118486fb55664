import { readIn, transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { DbContext, Statement } from '@outpost/platform/types'
import type { Feed } from '../identity.ts'

/** The progress of reading a feed's Traccar server, stored in geo.import_cursor beside the cursors of its devices. Times are ISO 8601. */
export interface Progress {
  state: 'never' | 'running' | 'interrupted' | 'done' | 'failed'
  /** An import also registers devices; a repair only fills gaps. */
  kind: 'import' | 'repair'
  startedAt: string | null
  endedAt: string | null
  /** The last time that everything was read, late buffers included. */
  thoroughAt: string | null
  /** Devices on that server, and how many of them are done. */
  devices: number
  done: number
  /** Positions read, and those among them that cannot be used. */
  positions: number
  refused: number
  /** Devices that are not registered here, and those whose history could not be read. */
  unknown: number
  failed: number
  made: { devices: number; fences: number; drivers: number; links: number }
  skipped: { kind: string; traccarId: number | null; message: string }[]
  /** The reason of the failure, in words for the operator. */
  message: string | null
  /** Failures in a row. */
  failures: number
}

export const noProgress: Progress = {
  state: 'never',
  kind: 'repair',
  startedAt: null,
  endedAt: null,
  thoroughAt: null,
  devices: 0,
  done: 0,
  positions: 0,
  refused: 0,
  unknown: 0,
  failed: 0,
  made: { devices: 0, fences: 0, drivers: 0, links: 0 },
  skipped: [],
  message: null,
  failures: 0,
}

const sourceOf = (feedId: string) => `feed:${feedId}`
export const wholeCompany = (company: string): DbContext => ({ company, scope: '*', user: null, tenant: null })

/** The progress of a feed, within the company of its context; `never` when it was not read yet. */
export const progressStatement = (feedId: string): Statement =>
  sql`select "cursor" from geo.import_cursor where "companyId" = ctx.company() and "source" = ${sourceOf(feedId)}`

export async function readProgress(pool: GeoPools['geo'], { companyId, feedId }: Feed): Promise<Progress> {
  const [row] = await readIn<{ cursor: Partial<Progress> }>(pool, wholeCompany(companyId), progressStatement(feedId))
  return { ...noProgress, ...row?.cursor }
}

/** The statement that stores the progress, for a transaction within the feed's company. */
export const saveProgress = (feedId: string, progress: Progress): Statement => sql`
  insert into geo.import_cursor ("companyId", "source", "cursor") values (ctx.company(), ${sourceOf(feedId)}, ${JSON.stringify(progress)}::jsonb)
  on conflict ("companyId", "source") do update set "cursor" = excluded."cursor", "dateModified" = now()`

/** States that an import is running, and leaves the rest of the progress as it was. */
const markImport = (feedId: string): Statement => sql`
  insert into geo.import_cursor ("companyId", "source", "cursor") values (ctx.company(), ${sourceOf(feedId)}, ${JSON.stringify({ ...noProgress, ...importing })}::jsonb)
  on conflict ("companyId", "source") do update set "cursor" = import_cursor."cursor" || ${JSON.stringify(importing)}::jsonb, "dateModified" = now()`
const importing = { state: 'running', kind: 'import' } satisfies Partial<Progress>

export interface Lease {
  url: string
  sealedToken: Buffer
  historyDays: number
  isImport: boolean
}

/**
 * Leases a due feed for this process; undefined when another process has it. A requested import counts as running from the same moment:
 * a process that ends before its first step leaves the import to the next one.
 */
export async function takeLease(pool: GeoPools['geo'], { companyId, feedId }: Feed): Promise<Lease | undefined> {
  return transactionIn(
    pool,
    wholeCompany(companyId),
    async (own) => {
      const lease = await own.maybe<Lease>(sql`
    update geo.feed set "leaseUntil" = now() + interval '5 minutes', "importAskedAt" = null where "companyId" = ${companyId} and "id" = ${feedId} and "url" is not null and "isActive" and "deletedAt" is null
      and "nextRunAt" <= now() and ("leaseUntil" is null or "leaseUntil" <= now()) returning "url", "sealedToken", "historyDays", old."importAskedAt" is not null as "isImport"`)
      if (lease?.isImport) await own.exec(markImport(feedId))
      return lease
    },
    { retry: true },
  )
}

/** Stores the progress and renews the lease; false when the feed was disabled or deleted in the meantime. */
export async function renewLease(pool: GeoPools['geo'], { companyId, feedId }: Feed, progress: Progress): Promise<boolean> {
  return transactionIn(
    pool,
    wholeCompany(companyId),
    async (own) => {
      const held = await own.exec(
        sql`update geo.feed set "leaseUntil" = now() + interval '5 minutes' where "companyId" = ${companyId} and "id" = ${feedId} and "isActive" and "deletedAt" is null`,
      )
      if (held === 1) await own.exec(saveProgress(feedId, progress))
      return held === 1
    },
    { retry: true },
  )
}

/** Releases the feed and sets the seconds until the next run: 0 when an import was requested in the meantime. */
export async function endLease(pool: GeoPools['geo'], { companyId, feedId }: Feed, progress: Progress, seconds: number): Promise<void> {
  await transactionIn(
    pool,
    wholeCompany(companyId),
    async (own) => {
      await own.exec(sql`update geo.feed set "leaseUntil" = null, "nextRunAt" = case when "url" is null then null when "importAskedAt" is null then now() + make_interval(secs => ${seconds}) else now() end
      where "companyId" = ${companyId} and "id" = ${feedId}`)
      await own.exec(saveProgress(feedId, progress))
    },
    { retry: true },
  )
}

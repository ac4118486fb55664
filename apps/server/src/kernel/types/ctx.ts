import type { Access } from '@outpost/contract/permissions'
import type { Sql, Statement } from '@outpost/platform/types'
import type { Db } from '@outpost/platform/db/prisma'
import type { Log as Logger } from '@outpost/platform/log'
import type { RecordEvent } from './record-event.ts'
import type { Metric } from './metric.ts'

/** A person as the program acts for them. */
export interface Actor {
  id: string
  companyId: string
  firstName: string
  lastName: string
  userName: string
  emailAddress: string
  /** An API user: another system that calls with a key. */
  isProgram?: boolean
}

export interface CompanyRef {
  id: string
  name: string
  country: string
  currency: string
  timeZone: string
  /** The first day of its week, where it chose one (rules/formats.ts); Monday without. */
  firstDay?: string
}

export interface TenantRef {
  id: string
  companyId: string
  parentId: string | null
  name: string
  shortCode: string
  /** 1 Group, 2 Company, 3 Branch, 4 Team */
  type: number
  path: readonly string[]
  locationRequired: boolean
}

/** The door that a write comes through. */
export type WriteSource = 'online' | 'sync' | 'import' | 'job' | 'seed'

/** Receives what happens to records, in the transaction that writes them. */
export type Listener = (ctx: Ctx, events: readonly RecordEvent[]) => Promise<void>

/** What the areas of this program declare and every write asks; learned at the start (kernel/session/program.ts). */
export interface Program {
  /** What the calls ask for that show a resource's records, by its `one`. */
  readers: ReadonlyMap<string, readonly Access[]>
  listeners: readonly Listener[]
  /** What targets may count, by name and in its order. */
  metrics: ReadonlyMap<string, Metric>
  /** Statements of the entries that other areas hang into the history of a record, by its `one`, as far as the caller sees them. */
  timelineOf: (ctx: Ctx, one: string) => Statement[]
}

/**
 * All a request, socket message, job or sync batch knows about who it works for; passed first, made in one place
 * (kernel/session/ctx.ts). A transaction gives a new ctx: there is no optional transaction parameter anywhere.
 */
export interface Ctx {
  readonly user: Actor
  /** The administrator behind an impersonated user; else the user. */
  readonly realUser: Actor
  readonly company: CompanyRef
  /** The tenant chosen with x-tenant-id; new rows are filed under it. */
  readonly tenant: TenantRef
  /** '*' in the whole company, else the chosen tenant and all below it. */
  readonly scope: '*' | readonly string[]
  readonly roles: readonly string[]
  /** Upper-case hierarchies of roles and user together. */
  readonly permissions: ReadonlySet<string>
  readonly isGlobalAdministrator: boolean
  /** The door this work came through, for the audit. */
  readonly source: WriteSource
  readonly sessionId: string
  readonly requestId: string
  readonly ip: string | null
  readonly log: Logger
  readonly program: Readonly<Program>
  /** Outside a transaction: each statement reads in its own READ ONLY transaction. Inside: the transaction's. */
  readonly sql: Sql
  /** Prisma on the running transaction; single records only, findUnique is refused (it batches across requests). */
  readonly db: Db
  readonly isTransaction: boolean
  transaction<Result>(run: (ctx: Ctx) => Promise<Result>): Promise<Result>
  /** Runs as the last step of the outermost transaction, e.g. what must hold a lock for a short time only. Transactions only. */
  beforeCommit(run: () => Promise<void>): void
  /** Runs once the outermost transaction has committed; never when it rolled back. It gets a ctx outside of it. */
  afterCommit(run: (ctx: Ctx) => void | Promise<void>): void
}

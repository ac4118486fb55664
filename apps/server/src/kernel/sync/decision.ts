import type { ChangeRecord, FieldConflict, PushResult, RejectCode } from '@outpost/contract/sync/protocol'
import type { Change } from '../resource/writing.ts'
import type { SyncEntities, SyncEntity } from './entities.ts'
import type { WireRow } from './resolve.ts'

/** Everything a batch is judged against, read under the counter's lock. */
export interface Batch {
  /** Final verdicts given before, by change id. */
  receipts: Map<string, PushResult>
  /** Rows as the wire writes them, by id. */
  rows: Map<string, WireRow>
  /** The same rows as the table holds them, for `prepare`. */
  columns: Map<string, Record<string, unknown>>
}

/** What becomes of one change; `write` is what the write pipeline is to do, which may still refuse it. */
export interface Decision {
  change: ChangeRecord
  entity?: SyncEntity
  outcome: 'applied' | 'merged' | 'rejected' | 'waiting'
  write?: Change
  tenantId: string
  seq?: number
  conflicts: FieldConflict[]
  /** The row as the server holds it: before the change, or after what was written. */
  held?: WireRow
  code?: RejectCode
  message?: string
  existingId?: string
}

export interface Round {
  batch: Batch
  entities: SyncEntities
  /** Ids of dependencies that exist on the server; grows with what this batch inserts. */
  known: Set<string>
  /** New records of later waves: only changes that wait for each other are judged before them. */
  ahead: ReadonlySet<string>
  /** Tenants in which the caller may file new records. */
  tenants: ReadonlySet<string>
  /** The device's time as it sent the batch; not known of what the office carries out. */
  sentAt: string | undefined
}

import type { DBSchema } from 'idb'
import type { ChangeRecord, FieldConflict } from '@outpost/contract/sync/protocol'
import type { Row } from '../../data/records.ts'
import type { Sealed } from './seal.ts'

/** The state of an entity on the device: as the server has it, with unsent changes, or with a refused one. */
export type EntityState = 'clean' | 'pending' | 'attention'

/** One entity: the last server copy and, when it differs, what the screen shows. Key [gen, type, id]. */
export interface EntityRow {
  /** Generation: a full pull fills the next one beside this one and is swapped in at once. */
  gen: number
  type: string
  id: string
  version: number
  state: EntityState
  server: Sealed | null
  local: Sealed | null
  /** Keyed hashes of the kind's first and second value that no other record may share; absent when the value is. */
  phone?: string
  email?: string
}

/** The opened form of an entity row. */
export interface Entity {
  type: string
  id: string
  version: number
  state: EntityState
  server: Row | null
  local: Row | null
}

export type LogState = 'pending' | 'waiting'

/** What of a change is sealed on the device. */
export interface ChangeBody {
  patch: ChangeRecord['patch']
  snapshot?: Row
}

/** One change to be sent. Key clientSeq, given by the database and never used again. */
export interface LogRow extends Omit<ChangeRecord, 'clientSeq' | 'patch' | 'snapshot'> {
  clientSeq?: number
  body: Sealed
  attempts: number
  lastError?: string
  state: LogState
  /** 1 once it may have left the device: from then on it never changes. */
  sent: 0 | 1
}

export type Change = ChangeRecord & { attempts: number; sent: 0 | 1; state: LogState; lastError?: string }

export type AttentionReason = 'rejected' | 'quarantined' | 'merged'
/** A change that a person must look at; the program never deletes it. Key changeId. */
export interface AttentionRow {
  changeId: string
  clientSeq: number
  entityType: string
  entityId: string
  changeType: ChangeRecord['changeType']
  reason: AttentionReason
  code: string
  message: string
  existingId?: string
  at: string
  /** AttentionBody */
  body: Sealed
  /** A quarantined change is also reported to the office; 0 until that arrived. */
  reported: 0 | 1
}
export interface AttentionBody {
  change: ChangeRecord
  /** What the screen showed when it was refused. */
  mine: Row
  theirs: Row | null
  conflicts: FieldConflict[]
}
export type Attention = Omit<AttentionRow, 'body'> & AttentionBody

/**
 * A file that waits to be sent. Its id is the final one at the server, so that sending it twice stores it once. It follows
 * its change: sent once that was taken, held while that waits or was refused.
 */
export interface FileRow {
  id: string
  name: string
  mime: string
  size: number
  sha256: string
  ownerType: string
  ownerId: string
  /** The change it belongs to; absent when that went to the server at once. */
  changeId?: string
  at: string
  attempts: number
  /** Why the server will not have it; a person decides. */
  refusal?: string
  bytes: Sealed
}

export interface MetaValues {
  generation: number
  cursor: string
  /** A full pull under way. */
  shadow: { gen: number; cursor: string | null }
  lastSuccess: string
  /** The server's day on which what is too old was dropped last. */
  windowDay: string
  /** Highest clientSeq that is no longer in the log. */
  maxDone: number
  /** Made with the store: by it the office distinguishes a new store from the one it knew. */
  storeId: string
  /** The key of the duplicate hashes, sealed. */
  indexKey: Sealed
  incidents: { at: string; text: string }[]
}
export type MetaName = keyof MetaValues

export interface OfflineSchema extends DBSchema {
  entities: {
    key: [number, string, string]
    value: EntityRow
    indexes: { phone: [number, string, string]; email: [number, string, string]; state: [number, EntityState] }
  }
  log: { key: number; value: LogRow; indexes: { entity: [string, string]; changeId: string } }
  attention: { key: string; value: AttentionRow }
  meta: { key: string; value: { name: MetaName; value: MetaValues[MetaName] } }
  blobs: { key: string; value: FileRow }
}
export const storeNames = ['entities', 'log', 'attention', 'meta', 'blobs'] as const
export type StoreName = (typeof storeNames)[number]

import { z } from 'zod'
import { identifierSchema } from '../input.ts'
import { syncProtocol } from './limits.ts'

export { changeSchema, maxPushChanges, pullPageSize, syncProtocol } from './limits.ts'

const patchValue = z.union([
  z.tuple([z.unknown(), z.unknown()]),
  z.strictObject({ add: z.array(z.string()).default([]), remove: z.array(z.string()).default([]) }),
])

/** One change of a device: the six specified fields inside an envelope. `patch` holds [old, new] per field. */
export const changeRecord = z.strictObject({
  clientSeq: z.int().min(1),
  changeId: identifierSchema,
  schema: z.int().min(1),
  deviceId: identifierSchema,
  tenantId: identifierSchema,
  userId: identifierSchema,
  /** Entity version the edit was based on; 0 for INSERT. */
  version: z.int().min(0),
  entityId: identifierSchema,
  entityType: z.string().max(60),
  dateModified: z.iso.datetime(),
  /** CREATE is accepted and treated as INSERT. */
  changeType: z.enum(['INSERT', 'UPDATE', 'DELETE', 'CREATE']),
  patch: z.record(z.string().max(60), patchValue).default({}),
  snapshot: z.record(z.string().max(60), z.unknown()).optional(),
  deps: z.array(identifierSchema).max(50).default([]),
})
export type ChangeRecord = z.infer<typeof changeRecord>

export const pushRequest = z.strictObject({
  protocol: z.literal(syncProtocol),
  deviceId: identifierSchema,
  clientNow: z.iso.datetime(),
  pendingCount: z.int().min(0).max(2_147_483_647),
  /** Photos and other files on the device that wait. Older programs send none. */
  pendingFiles: z.int().min(0).max(2_147_483_647).optional(),
  /** Of the oldest change or file that waits. */
  oldestPendingAt: z.iso.datetime().nullable(),
  persisted: z.boolean(),
  maxClientSeq: z.int().min(0),
  /** Made with the device's store: a device that comes with another one than before has lost the first. Older programs send none. */
  storeId: identifierSchema.optional(),
  appVersion: z.string().max(40).optional(),
  /** Why the last cycle of this device did not succeed; null when it did. */
  lastError: z.string().max(300).nullish(),
  /** Refused changes that wait for a decision of the device's person. */
  attentionCount: z.int().min(0).optional(),
  /** Each is validated on its own: one bad change must not refuse the others. More than maxPushChanges are answered 413, so that the client halves its batch. */
  changes: z.array(z.unknown()),
})
export type PushRequest = z.infer<typeof pushRequest>

/** Why a change was refused. The error of a kind's duplicate rule comes under its own name; its devices know it (KeptKind.errors). */
export type RejectCode = 'VALIDATION' | 'FORBIDDEN' | 'GONE' | 'STALE_DELETE' | 'STATUS' | (string & {})
export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
}

/** Verdict on one change; final ones are stored as a receipt and repeated word for word. */
export interface PushResult {
  changeId: string
  status: 'applied' | 'duplicate' | 'merged' | 'rejected' | 'waiting' | 'error'
  /** With 'duplicate': the first verdict. */
  first?: 'applied' | 'merged' | 'rejected'
  version?: number
  seq?: number
  /** The record as the server holds it after the change. */
  fields?: Record<string, unknown>
  conflicts?: FieldConflict[]
  code?: RejectCode
  message?: string
  /** A duplicate rule's error: the record that exists already, when the caller may see it. */
  existingId?: string
}
export interface PushAnswer {
  serverNow: string
  results: PushResult[]
}

export interface PullChange {
  t: string
  id: string
  seq: number
  op: 'put' | 'gone'
  version: number
  data?: Record<string, unknown>
}
export interface PullAnswer {
  changes: PullChange[]
  cursor: string
  more: boolean
  serverNow: string
  /** The cursor is of another scope, of another schema, or too old (or of a history that a restore has ended): start anew, keep the log. */
  reset?: 'scope' | 'schema' | 'age'
}

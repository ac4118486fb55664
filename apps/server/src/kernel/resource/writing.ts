import type { Failure } from '@outpost/contract/errors'
import type { Stream } from '../sync/stream.ts'
import type { AnyResource, Ctx, WriteSource } from '../types.ts'
import type { Step } from '../workflow/types.ts'
import type { RecordInput } from './schema.ts'
import type { Columns, WireRecord, WrittenAs } from './write.ts'

/**
 * What is to happen to one record. `input` is checked by the resource's schema and is the caller's: its references are
 * looked at. `columns` are the program's own, which may lie beyond the caller's reach.
 */
export type Change =
  | { kind: 'create'; input: RecordInput; columns?: Columns }
  | { kind: 'update'; id: string; input: RecordInput; columns?: Columns; version?: number | undefined; move?: MoveCalled }
  | { kind: 'remove'; id: string; /** Another record takes its place, with all that belonged to it. */ isMerged?: boolean }
  | { kind: 'restore'; id: string }

/** The move of a workflow that a change was called as; what else sets its field makes the move that leads there. */
export interface MoveCalled {
  field: string
  name?: string | undefined
  asked: RecordInput
  /** By a call that is mounted for all moves: those that another call makes are not its to make. */ isGeneric?: boolean
}

export interface WriteOptions {
  /** The door it came through, for the audit. Left out: that of the ctx, for what the program writes by itself. */
  source?: WriteSource
  /** `throw` (default): all or none. `report`: a verdict for each, and what no rule refuses is written. */
  onRefusal?: 'throw' | 'report'
  /** Rows by id that the caller has read under the company's counter: they are not locked once more. */
  held?: ReadonlyMap<string, Columns>
  /** `row`: for whoever shows no record, such as an import. Default: detail. */ as?: WrittenAs
}

/** What became of a change; `record` as the wire shows it, unless it was refused or is no more. */
export interface Verdict {
  id: string
  record?: WireRecord
  failure?: Failure
  /** Its number in the company's stream. */ seq?: number
}

/** A change being written: the stored record, what the caller gave, what will be written. */
export interface Writing extends Verdict {
  change: Change
  before?: Columns
  given: RecordInput
  values: Columns
  steps?: readonly Step[]
  related?: Readonly<Record<string, Related<unknown>>>
}
/** A relation that a change names: as stored and, once that is known, as it will be. `free`: ids that new lines may bring. */
export interface Related<Row> {
  before: readonly Row[]
  after?: readonly Row[]
  free?: ReadonlySet<string>
}
export interface Batch {
  ctx: Ctx
  resource: AnyResource
  stream: Stream | undefined
  isSync: boolean
  mayReport: boolean
  as?: WrittenAs
  writings: readonly Writing[]
}

import type { Condition, Option } from '@outpost/contract/fields'
import type { Access } from '@outpost/contract/permissions'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../types/ctx.ts'
import type { PlainField } from '../types/field.ts'

/** What a state means to rules and reports, whatever a company calls it. */
export type Meaning = 'open' | 'started' | 'done' | 'missed' | 'cancelled'
export interface State {
  meaning: Meaning
  colour?: string
}
/** A state that is a row of the company. */
export interface OwnState {
  id: string
  name: string
  meaning?: Meaning
  /** Records that are in it may leave it; none enters it any more. */
  isRetired?: boolean
  /** Where there are several sets of states, the one it is of: a record stays in its set. */
  within?: { id: string; name: string }
}
/** States that are the company's own rows, made by from(). What a move to a row that is not among them is refused with: `elsewhere`, or `invalid` as a wrong value. */
export interface OwnStates {
  to: string
  read: (ctx: Ctx, record: Row) => Promise<readonly OwnState[]>
  /** Those that new records have, as columns of a board. */
  columns?: (ctx: Ctx) => Promise<Option[]>
  /** Lists and devices know them: read() of an empty record gives all there are. */
  isCommon?: boolean
  elsewhere?: string
  invalid?: string
}
/** The rows of workflows whose states are common to all records, by field. */
export type CommonStates = ReadonlyMap<string, readonly OwnState[]>

export type Row = Readonly<Record<string, unknown>>
/** A record on its way from one state to another; `asked` is what the move's form asked. */
export interface Moving {
  id: string
  from: string
  to: string
  before: Row
  given: Row
  asked: Row
}
export interface Moved extends Moving {
  record: Row
}

export interface MoveDefinition {
  name: string
  /** Its button; without: the name. */
  label?: string
  /** States it leaves; '*': any. Where states are the company's own rows: what they mean. */
  from: readonly string[] | '*'
  /** State it leads to; '*': the one that the call names. Where states are the company's own rows: what it means; the call names one. */
  to: string
  access?: Access
  /** Records it is offered for and made on. */
  onlyIf?: Condition
  /** What is asked for before; `reason` is kept in the log, others in `kept` fields or by `after`. */
  ask?: Readonly<Record<string, PlainField>>
  /** Why it may not be made, in words; undefined when nothing is in its way. */
  refuse?: (ctx: Ctx, moving: Moving) => Promise<string | null | undefined> | string | null | undefined
  /** What follows, in the same transaction. Effects outside go through the outbox. */
  after?: (ctx: Ctx, moved: Moved) => Promise<void>
  /** Whoever made or last changed the record may not make this move, in nobody's name; other makers as a table of "userId" and part. */
  fourEyes?: true | ((ctx: Ctx, id: string) => Statement)
  /** Under four eyes: on which records one person may do both, and whether that still holds when the move is made. */
  alone?: { if: Condition; holds: (ctx: Ctx, moving: Moving) => Promise<boolean> }
  danger?: boolean
  /** Call that makes this move alone, where it has one of its own: a line that mounts move(). */
  route?: string
  /**
   * `elsewhere`: another call makes it, so no button, cell or board offers it. `program`: no call and no device makes it, code does.
   * `undo`: back to a state that was reached before; only code that names it makes it.
   */
  madeBy?: 'elsewhere' | 'program' | 'undo'
  /** It follows from another move that the history shows: it is logged and not shown. */
  isSilent?: boolean
}

/** Parts of a record that move by themselves, each with a person: an agent's part in an activity. Their moves are in the record's own log. */
export interface Parts {
  /** The record's resource. */
  one: string
  /** Columns of the part: the record's id, and the person whose part it is. */
  of: string
  by: string
  /** Columns that are logged beside a move, and how the history says them: SQL over the jsonb "facts". */
  facts?: { columns: readonly string[]; words: string }
}

/** How a field goes from state to state: by moves alone, at every door. */
export interface WorkflowDefinition<Key extends string = string> {
  field: Key
  /** Written before its moves in the history, where a record has several workflows. */
  label?: string
  /** What refusals call the record, by the row as it is stored; without: its label ("The activity"). */
  subject?: (ctx: Ctx, before: Row) => Promise<string>
  /** Route that makes a move: the line that mounts move(). */
  route: string
  /** Route that makes it on many records: the line that mounts moveMany(), or the route of one, which is then called for each. */
  many?: string
  /** Route that takes back the caller's own last move. */
  undo?: string
  /** The first is where new records begin, unless prepare says otherwise. */
  states: Readonly<Record<string, State>> | OwnStates
  moves: readonly MoveDefinition[]
  /** What follows where a new record begins, in the same transaction; what it refuses is refused with the record. */
  begun?: (ctx: Ctx, begun: { id: string; record: Row }) => Promise<void>
  /** The states of a success in their order, shown as steps in the detail. States that are the company's rows are a path by themselves. */
  path?: readonly string[]
  /** States in which a record waits for a second person; without: all that moves under four eyes leave. */
  waits?: readonly string[]
  /** Fields that keep what the moves ask, by the asked names. */
  kept?: Readonly<Record<string, Key>>
  /** Label of one button that asks for the state; without: a button for each move. */
  choose?: string
  /** The area's own table keeps the log of this field. */
  log?: 'own'
  /** The resource is a part of a record: its moves are logged as that record's, under the person whose part it is. */
  partOf?: Parts
  /** The same, declared by the record: its history shows the moves of its parts. */
  parts?: Parts
}

/** A move that is about to be written: from and to in words, and the columns that keep what was asked. */
export interface Step {
  workflow: WorkflowDefinition
  move: MoveDefinition
  moving: Moving
  words: { from: string | null; to: string; meaning: Meaning | null }
  columns: Row
}

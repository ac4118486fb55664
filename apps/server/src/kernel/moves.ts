import type { Condition } from '@outpost/contract/fields'
import type { Access } from '@outpost/contract/permissions'
import type { FieldDefinition } from './types.ts'

/** Which values of a choice may follow which. The call checks by itself: this is what callers are offered. */
export interface MovesDefinition<Key extends string = string> {
  field: Key
  /** Route that makes a move: takes the new value under the field's name and what the form asks; the id stands in its path. */
  route: string
  /** Route that takes back the caller's own last move. */
  undo?: string
  /** What may follow each value; what asks for a screen of its own is left out. */
  next: Readonly<Record<string, readonly string[]>>
  to?: Readonly<Record<string, MoveTarget>>
  /** Fields of the record that hold what the forms ask, by the forms' names. */
  kept?: Readonly<Record<string, Key>>
}
/** Who may give the value, to which records, and what is asked for before. */
export interface MoveTarget { access?: Access, onlyIf?: Condition, form?: Readonly<Record<string, FieldDefinition>> }

import type { CallView } from './call-view.ts'
import type { Condition, FieldView } from './fields.ts'

/** Something a user may do to a row, to many rows, or on the page. Cut to the caller's permissions by the server. */
export interface ActionView {
  key: string
  label: string
  scope: 'row' | 'bulk' | 'page'
  /** Absent where a screen is opened instead. */
  call?: CallView
  /** How the chosen id or ids travel in the body, e.g. {id} or {ids}; none when the path carries the id. */
  idField?: string
  /** An array of ids is sent under idField instead of one. */
  many?: boolean
  /** Input asked for before the call. */
  form?: FieldView[]
  /** Answers {fields, record}: a form of this row's own, where rows differ. What is changed in it is sent as `values`. */
  asks?: CallView
  /** Constant body fields. */
  fixed?: Record<string, unknown>
  /** The body carries the `version` of the row that was looked at. */
  isVersioned?: boolean
  danger?: boolean
  confirm?: { title: string; body?: string }
  /** Asked with {ids} when the dialog opens: data.message, where there is one, warns in it. */
  warning?: CallView
  /** Name of the action that undoes this one, offered in a 6 s toast. */
  undo?: CallView
  offline?: boolean
  /** The answer is a file to download. */
  download?: boolean
  /** A secret in the answer that is given this once: it is shown, to be copied, until it is put away. */
  reveals?: RevealView
  /** A screen to open instead of a call; `:key` is filled from the row. Of a bulk action: offered for two chosen rows, `:a` and `:b`. */
  open?: string
  /** Offered only on rows for which this holds. */
  visibleIf?: Condition
  /** The call moves the choice `key` of the form: offered is what may follow the row's own value, and it goes the way of the cells. */
  moves?: MovesView & { key: string }
  /** The records are given to people, who are shown by name with what they hold. */
  assign?: AssignView
}

/** `value` is its key in the answer's data. */
export interface RevealView {
  value: string
  title: string
  body: string
}

/**
 * Gives records to one person or, evenly, to several. The action's call takes {assignments: [{id, userId}]}, at most 500,
 * and answers data.results, a Verdict each (contract/assigning.ts); `undo` takes {ids} and answers alike.
 */
export interface AssignView {
  /** Takes {ids}, answers Assignees. */
  candidates: CallView
  undo?: CallView
  /** What is counted of a person, in words: "open leads". */
  load: string
}

/** How a choice goes from value to value by a call of its own, cut to what the caller may do. */
export interface MovesView {
  /** Takes the new value under the column's key and what the form asked; the path carries the id. */
  call: CallView
  /** Takes back the caller's own last move; the path carries the id. */
  undo?: CallView
  one: string
  /** What may follow each value. */
  next: Record<string, string[]>
  /** A value that may follow only records for which this holds. */
  conditions: Record<string, Condition>
  /** What is asked for before a record takes a value. */
  forms: Record<string, FieldView[]>
  /** Entity type in the offline store, where a move is kept until there is a connection; `kept` names the fields of what the form asked. */
  offline?: string
  kept: Record<string, string>
  /** Where a device keeps the move as a call of its own: the field under which it does, and what its states are called and mean. */
  later?: { field: string; states: Record<string, { name: string; meaning?: string | undefined }> }
}

/** A state on a record's path; comes with its history. `ended`: it was refused or given up there; `skipped`: it never was in it. */
export interface StepView {
  label: string
  is: 'passed' | 'skipped' | 'current' | 'done' | 'ended' | 'ahead'
  /** When the record came there, and who brought it. */
  at?: string
  who?: string
}

/** What a record waits for that a second person has to decide; comes with its history. */
export interface WaitingView {
  /** Who brought it to where it is, and when. */
  who: string
  since: string
  /** What was changed last, in words. */
  what: string | null
  /** Labels of the moves that it waits for. */
  moves: string[]
  /** Whether the caller may make one of them. */
  mayDecide: boolean
}

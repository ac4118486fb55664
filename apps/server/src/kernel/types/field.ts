import type { FieldKind, Option, Condition } from '@outpost/contract/fields'
import type { GivenValue, LinesStart } from '@outpost/contract/sync/kept-kinds'
import type { ModelName } from '@outpost/platform/db/prisma'
import type { Statement } from '@outpost/platform/types'
import type { BatchedValue } from '../resource/read/batched.ts'
import type { Ctx } from './ctx.ts'

/** A field that needs no other resource: all that the dialog of a move can ask. */
export interface PlainField {
  kind: FieldKind
  label: string
  help?: string
  required?: boolean
  readOnly?: boolean
  /** May be set at creation, not changed later. */
  createOnly?: boolean
  min?: number
  max?: number
  maxLength?: number
  /** Kind longText: may be read from a file of the device, of these endings (.xml). */
  fromFile?: string
  options?: readonly Option[]
  /** kind reference: name of the resource whose list call gives the options. */
  to?: string
  /** To users: whoever works in the company, beyond the caller's reach too; prepare says who of them. */
  isCompanyWide?: boolean
  /** Kind reference, in a form: choosing a record copies its fields of these names into what is empty. */
  fills?: readonly string[]
  /** Label column(s) shown for a reference; joined in SQL as <field>Label. */
  defaultValue?: unknown
  /** What a new record gets here by itself: whatever a body holds, or, in a field that people enter, where they left it empty. A device shows it before the office has the record. */
  given?: GivenValue
  /** In forms of new records: dateTime begins at this full hour from now on (1 is the next one), a date today. */
  begins?: number | 'today'
  /** Kind lines, on a device: those of a new record begin as one for each line `lines` of the record that `field` names, with its fields of these names. */
  beginsFrom?: LinesStart
  /** The forms that ask for it, where not both do. */
  askedIn?: 'new' | 'edit'
  /** Help in its place where a record is edited: to empty it means something else than to leave it empty. */
  editHelp?: string
  /** The calls of its forms take it beside what the pipeline writes. */
  isBeside?: boolean
  visibleIf?: Condition
  requiredIf?: Condition
  sensitive?: boolean
  /** Offline conflict class: three-way (default), server (never from offline UPDATE), set, higher, ask, last (who arrives last is right). */
  merge?: 'threeWay' | 'server' | 'set' | 'higher' | 'ask' | 'last'
  /** An SQL expression over alias t instead of a column; then readOnly. Must come from code, never from input. */
  sql?: string
  /** Kinds number and money: the screen that lists the rows it counts, as many, or that add up to it; `:key` is filled from the record: `/admin/x?filter=[…":Id"…]` (listedAt). */
  opens?: string
  /** The value is that of another kind's field: the key beside it in the answer that holds the FieldView it is drawn by. */
  drawnBy?: string
  /** Made by joined(), beside its sql: the fields whose values it is, with spaces between them. A device joins them alike. */
  joins?: readonly string[]
  /** Made by batched(), beside its sql: lists read it for the whole page at once. */
  batch?: BatchedValue
  /**
   * Kinds multiReference and permissionTree: the pairs behind it, written with the record. A model whose columns are
   * `<one>Id` and `<to>Id`, or a Through. With sql: how it is read; without: rows of {Id, label}.
   */
  through?: ModelName | Through
  /** With from: a new record begins with the company's default row. */
  isPreset?: boolean
  /** Kind money: the field that names the currency (of a line: one of its own or of the record's), or 'company'. It says how many decimals there are. */
  currency?: string
  /** Lists are filtered by it; no record shows it. */
  isFilterOnly?: boolean
  /** Changes without an announcement, as a sign-in changes when somebody was seen: how many rows a filter by it has is counted each time. */
  isUnannounced?: boolean
  /** For programs, not for people: lists offer it neither as a column nor as a filter. */
  isTechnical?: boolean
  /** With isFilterOnly: the condition over alias t that a value means, instead of a comparison. Fails with INVALID on a value it does not know. */
  filterBy?: (ctx: Ctx, value: string) => Statement
  /** Not on the wire at all in lists; only in get. */
  detailOnly?: boolean
  /** Made by recordNumber(): the pipeline gives new records the company's next number. */
  isNumber?: boolean
  /** With isNumber: numbers lie ready, so that records made at the same time do not wait for one another. */
  isPooled?: boolean
}

/** A table of pairs that says more than its two sides. */
export interface Through {
  pairs: ModelName
  own?: string
  other?: string
  /** Column of the place in the list. */
  order?: string
  /** Column of the end: a pair that ends is kept and another one may begin. */
  until?: string
  /** Column of the beginning, where pairs end. */
  since?: string
  /** Column of who made the pair. */
  by?: string
  /** Further columns of new pairs, one answer for each of the records that they belong to (as they will be stored). */
  begins?: (ctx: Ctx, records: readonly Readonly<Record<string, unknown>>[]) => Promise<readonly object[]>
}

import type { FieldKind } from '../fields.ts'

/**
 * What a new record gets by itself: a value, or who made it and when. Where a person may enter the field, only what is left empty is
 * given: the maker, and the place of the maker's tenant with its coordinates (`lat` and `lng` come with the place alone).
 */
export type GivenValue = string | { of: 'userId' | 'userName' | 'now' } | PlaceValue
export interface PlaceValue {
  of: 'place' | 'lat' | 'lng'
}

/** Where lines of a new record come from: one for each line of a record that it names. */
export interface LinesStart {
  /** The field that names the record, and its lines. */
  field: string
  lines: string
  /** Fields of these lines that are taken over. */
  take: readonly string[]
}

/** A refusal as the server words it, for devices that refuse in its place. */
export interface KeptError {
  code: string
  status: number
  message: string
  title?: string
}

/** A value that no two live records of a kind may share, as a device looks for it. */
export interface SameValue {
  /** Holds the compared value in a record of the server. */
  field: string
  /** Where a person types it. */
  typed: string
  kind: FieldKind
}

/**
 * What a device must know of a kind of record to work with it without the server. Made from the resource by `npm run generate`;
 * nothing of it is written by hand.
 */
export interface KeptKind {
  /** The resource's `one`. */
  type: string
  label: string
  /** Kept for reading only: changing it needs a connection, but for its `calls`. */
  isReadOnly: boolean
  /** The newest answer of its list is all that is kept of it. */
  isListed?: boolean
  /** A record whose field lies more than so many days back is not kept; one with an empty field is. */
  window?: { field: string; days: number }
  /** Field that names a record. */
  title: string
  /** Fields that are others joined by a space. */
  joined: Readonly<Record<string, readonly string[]>>
  /** What a person must enter. */
  required: readonly string[]
  /** Fields that a person enters, without those that begin with a value. */
  entered: readonly string[]
  /** Of these, what the form shows. */
  form: readonly string[]
  /** Words of the fields that a change may touch, and of the calls. */
  labels: Readonly<Record<string, string>>
  /** Values of a new record that nobody entered: where nothing was chosen, and always. */
  defaults: Readonly<Record<string, string | number | boolean>>
  given: Readonly<Record<string, GivenValue>>
  search: readonly string[]
  /** Fields behind each period of the list: since when and until when a record lasts. */
  dates: Readonly<Record<string, { from: string; until: string }>>
  /** Fields that name other records, with the kind of these. */
  links: Readonly<Record<string, string>>
  /** Of these, the ones that name several. */
  sets: readonly string[]
  /** Fields that hold lines: each has an Id of its own, by which it is changed and merged. */
  lines: readonly string[]
  /** Of these, the ones that begin from lines of a record that is named, with the values of a new line. */
  begins?: Readonly<Record<string, LinesStart & { values: Readonly<Record<string, unknown>> }>>
  /** At most two: the stores of devices have two indexes. */
  same: readonly SameValue[]
  /** Fields that mean a call to be made later. */
  calls: readonly string[]
  /** Of these, the ones that take the place of one that was not sent yet, and keep its `base`. */
  wholes: readonly string[]
  errors: { notFound: KeptError; same?: KeptError }
  /** The call that reads one record, and the screen that edits one. */
  get?: string
  edit?: string
}

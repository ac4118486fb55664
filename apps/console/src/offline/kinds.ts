import type { GivenValue, KeptKind, PlaceValue, SameValue } from '@outpost/contract/sync/kept-kinds'
import type { FieldError } from '@outpost/contract/errors'
import { isSame } from '@outpost/rules/sync/merge'
import type { Row } from '../data/records.ts'
import { serverNow } from '../session/token.ts'
import { generatedKinds } from './kinds.generated.ts'

/** What a hand-made part of the console adds to a kind that it keeps; by the kind's type. */
export interface KindAddition {
  /** The record as it will look once the server took its unsent calls. */
  show?(row: Row): Row
  /** An unsent call in the words of who made it. */
  callWords?(value: unknown): string
  /** The screen where a refused new record is corrected with all that was entered; without one its fields are corrected one by one. */
  mendAt?(row: Row): { to: string; search: Row } | undefined
  /** Fields shown of a refused record; without it, all that were entered. */
  shows?: readonly string[]
  /** Ties a file that reached the server to its record; harmless twice. Throws ApiError. */
  attach?(file: { ownerId: string; id: string }): Promise<void>
}
export type KindAdditions = Readonly<Record<string, KindAddition>>

const kinds: ReadonlyMap<string, KeptKind> = new Map(generatedKinds.map((kind) => [kind.type, kind]))
const calls: ReadonlySet<string> = new Set(generatedKinds.flatMap((kind) => kind.calls))

/** The kind that this device keeps; undefined when it keeps none of the type. */
export const keptKind = (type: string): KeptKind | undefined => kinds.get(type)

/** Whether a field means a call to be made later. */
export const isCall = (field: string): boolean => calls.has(field)

const wholes: ReadonlySet<string> = new Set(generatedKinds.flatMap((kind) => kind.wholes))

/** Whether the field means a call that replaces one like it that was not sent yet. */
export const isWholeCall = (field: string): boolean => wholes.has(field)

/** Whether a person entered the field, rather than the program; of a kind that is no longer kept, each counts. */
export const isEntered = (type: string, field: string): boolean => kinds.get(type)?.entered.includes(field) ?? true

const isMissing = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : textOf(value) === '')
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')
const joinedText = (row: Row, fields: readonly string[]): string =>
  fields
    .map((field) => textOf(row[field]))
    .filter(Boolean)
    .join(' ')

/** A record's name; the kind's where it has none. */
export const titleOf = ({ title, joined, label }: KeptKind, row: Row): string => joinedText(row, joined[title] ?? [title]) || label

/** The row with what the server works out from others, for values that only this device has. */
export const withJoined = ({ joined }: KeptKind, row: Row): Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(joined).map(([field, parts]) => [field, joinedText(row, parts)])),
})

/** Who makes a record, and the place of their tenant as the layout knows it. */
export interface Maker {
  id: string
  name: string
  place?: { location: string; lat: string; lng: string } | undefined
}

/** A new record with the values that the server would give it. */
export function newRecord(kind: KeptKind, values: Row, maker: Maker): Row {
  const { defaults, given, entered, sets } = kind
  const chosen = Object.fromEntries(Object.entries(defaults).map(([field, value]) => [field, values[field] ?? value]))
  const places = isPlaceless(kind, values) ? maker.place : undefined
  const got = Object.entries(given).flatMap(([field, value]): [string, unknown][] => {
    if (isOfPlace(value)) return places ? [[field, givenOfPlace(value, places)]] : []
    if (entered.includes(field) && !isMissing(values[field])) return []
    const one = givenValue(value, maker)
    return [[field, sets.includes(field) ? [{ Id: one, label: maker.name }] : one]]
  })
  return { ...values, ...chosen, ...Object.fromEntries(got) }
}

const isOfPlace = (given: GivenValue): given is PlaceValue => typeof given !== 'string' && ['place', 'lat', 'lng'].includes(given.of)

/** True when the record has a place to be given, and nobody said which. */
const isPlaceless = ({ given }: KeptKind, values: Row): boolean =>
  Object.entries(given).some(
    ([field, value]) => typeof value !== 'string' && value.of === 'place' && ['', 'unknown'].includes(textOf(values[field]).toLowerCase()),
  )

const givenOfPlace = ({ of }: PlaceValue, { location, lat, lng }: NonNullable<Maker['place']>): string | number =>
  of === 'place' ? location : Number((of === 'lat' ? lat : lng) || 0)

function givenValue(given: Exclude<GivenValue, PlaceValue>, { id, name }: Maker): string {
  if (typeof given === 'string') return given
  if (given.of === 'now') return new Date(serverNow()).toISOString()
  return given.of === 'userId' ? id : name
}

/** What was entered and this device cannot keep: it is not of the kind's own fields, and only a call to the server takes it. */
export const unkept = ({ entered, defaults, labels }: KeptKind, values: Row, before: Row | undefined): FieldError[] =>
  Object.keys(values)
    .filter((field) => !field.startsWith('_') && !['Id', 'id', 'version'].includes(field))
    .filter((field) => !entered.includes(field) && !(field in defaults) && !(field in labels))
    .filter((field) => !isMissing(values[field]) && !isSame(values[field], before?.[field]))
    .map((field) => ({ field, message: 'needs a connection.' }))

/** What a record of the kind shows where another one names it. */
export function cardOf(kind: KeptKind, row: Row): Row {
  const parts = [...(kind.joined[kind.title] ?? []), ...kind.same.map(({ typed }) => typed)]
  return { Id: row.Id, label: titleOf(kind, row), ...Object.fromEntries(parts.map((field) => [field, row[field] ?? null])) }
}

/** The values with an Id for each new line, so that the next edit changes the same lines and a lost answer doubles none. */
export function withLineIds(type: string, values: Row): Row {
  const given = (kinds.get(type)?.lines ?? []).flatMap((field) => {
    const lines = values[field]
    return Array.isArray(lines) ? [[field, lines.map((line: Row) => ({ Id: crypto.randomUUID(), ...line }))] as const] : []
  })
  return given.length === 0 ? values : { ...values, ...Object.fromEntries(given) }
}

/** What is needed and left empty among the values. */
export const missingFields = ({ required }: KeptKind, values: Row): FieldError[] =>
  required.filter((field) => field in values && isMissing(values[field])).map((field) => ({ field, message: 'This field is needed.' }))

/** The values that no other record may share, in the order of the kind's `same`; a record of the server has them ready. */
export function uniqueValues({ same }: KeptKind, row: Row, { isLocal, country }: { isLocal: boolean; country: string }): Promise<string[]> {
  return Promise.all(same.map((value) => uniqueValue(value, row, { isLocal, country })))
}

async function uniqueValue(
  { field, typed, kind }: SameValue,
  row: Row,
  { isLocal, country }: { isLocal: boolean; country: string },
): Promise<string> {
  if (kind !== 'phone') return textOf(row[field]).toLowerCase()
  const ready = isLocal ? '' : textOf(row[field])
  if (ready) return ready
  const { trimPhone } = await import('@outpost/rules/phone')
  return trimPhone(textOf(row[typed]), country) ?? textOf(row[typed]).replace(/\D/g, '')
}

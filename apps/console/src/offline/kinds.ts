import type { GivenValue, KeptKind, SameValue } from '@outpost/contract/kept-kinds'
import type { FieldError } from '@outpost/contract/errors'
import type { Row } from '../data/records.ts'
import { generatedKinds } from './kinds.generated.ts'

/** What a hand-made part of the console adds to a kind that it keeps; by the kind's type. */
export interface KindAddition {
  /** The record as it will look once the server took its unsent calls. */
  show?(row: Row): Row
  /** An unsent call in the words of who made it. */
  callWords?(value: unknown): string
  /** Ties a file that reached the server to its record; harmless twice. Throws ApiError. */
  attach?(file: { ownerId: string; id: string }): Promise<void>
}
export type KindAdditions = Readonly<Record<string, KindAddition>>

const kinds: ReadonlyMap<string, KeptKind> = new Map(generatedKinds.map((kind) => [kind.type, kind]))
const calls: ReadonlySet<string> = new Set(generatedKinds.flatMap((kind) => kind.calls))

/** The kind that this device keeps; undefined when it keeps none of the type. */
export const keptKind = (type: string): KeptKind | undefined => kinds.get(type)

/** Whether a field stands for a call made later. */
export const isCall = (field: string): boolean => calls.has(field)

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

/** A new record with the values that the server would give it. */
export function newRecord({ defaults, given }: KeptKind, values: Row, user: { id: string; name: string }): Row {
  const chosen = Object.fromEntries(Object.entries(defaults).map(([field, value]) => [field, values[field] ?? value]))
  return { ...values, ...chosen, ...Object.fromEntries(Object.entries(given).map(([field, value]) => [field, givenValue(value, user)])) }
}

function givenValue(given: GivenValue, user: { id: string; name: string }): string {
  if (typeof given === 'string') return given
  return { now: new Date().toISOString(), userId: user.id, userName: user.name }[given.of]
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
export function sameWords({ same }: KeptKind, row: Row, { isLocal, country }: { isLocal: boolean; country: string }): Promise<string[]> {
  return Promise.all(same.map((value) => sameWord(value, row, { isLocal, country })))
}

async function sameWord(
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

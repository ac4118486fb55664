import type { Attributes } from '../../positions/fix.ts'
import { hexOf } from './cursor.ts'
import type { IoMeaning, IoTable } from './io-table.ts'

/** One received IO element: its id, and its value's bytes (1, 2, 4 or 8). */
export interface IoElement {
  id: number
  value: Uint8Array
}

/**
 * The attributes of IO elements, by the table. Unknown ids, unexpected widths and fault codes stay `io<N>`. `event` is the id that
 * caused the record.
 */
export function attributesOf(elements: readonly IoElement[], table: IoTable, event: number): Attributes {
  const attributes: Attributes = {}
  const alarms = new Set<string>()
  for (const { id, value } of elements) {
    const meaning = table[id]
    if (meaning?.kind === 'alarm' && value.length === 1) {
      const alarm = (event === id ? meaning.onEvent?.[value[0] ?? 0] : undefined) ?? meaning.values?.[value[0] ?? 0]
      if (alarm) alarms.add(alarm)
      continue
    }
    const read = meaning ? named(meaning, value) : undefined
    if (read === undefined) attributes[`io${id}`] = plain(value)
    else if (read !== null) attributes[read.name] = read.is
  }
  if (alarms.size > 0) attributes.alarm = [...alarms].join(',')
  return attributes
}

/** Undefined: the bytes cannot have this meaning. Null: they mean that there is nothing (no key on the reader). */
function named(meaning: IoMeaning, value: Uint8Array): { name: string; is: string | number | boolean } | null | undefined {
  switch (meaning.kind) {
    case 'alarm':
      return undefined
    case 'flag':
      return value.length === 1 ? { name: meaning.name, is: value[0] !== 0 } : undefined
    case 'key':
      return value.length === 8 ? keyOf(meaning, value) : undefined
    case 'number': {
      if (value.length > meaning.bytes || (meaning.isSigned && value.length !== meaning.bytes)) return undefined
      const raw = meaning.isSigned ? signedOf(value) : plain(value)
      if (typeof raw === 'string' || meaning.faults?.includes(raw)) return undefined
      return { name: meaning.name, is: meaning.divide ? raw / meaning.divide : raw * (meaning.times ?? 1) }
    }
  }
}

function keyOf(meaning: Extract<IoMeaning, { kind: 'key' }>, value: Uint8Array): { name: string; is: string } | null {
  if (value.every((byte) => byte === 0)) return null
  const is = meaning.as === 'digits' ? String(plain(value)) : hexOf(meaning.as === 'hex' ? value : value.toReversed()).toUpperCase()
  return { name: meaning.name, is }
}

const wholeOf = (value: Uint8Array): number => value.reduce((sum, byte) => sum * 256 + byte, 0)

function signedOf(value: Uint8Array): number {
  const unsigned = wholeOf(value)
  const limit = 256 ** value.length
  return unsigned >= limit / 2 ? unsigned - limit : unsigned
}

/** The unsigned number; as text where a number would lose digits. */
function plain(value: Uint8Array): number | string {
  if (value.length <= 4) return wholeOf(value)
  const exact = value.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact.toString()
}

import type { Attributes } from '../../positions/fix.ts'
import { ioTableOf, type IoMeaning } from './io-table.ts'
import type { IoElement } from './io-values.ts'

const table = Object.entries(ioTableOf(null)).map(([id, meaning]) => ({ id: Number(id), meaning }))
const widths = [1, 2, 4, 8] as const
const vin = 256

/** Attributes as IO elements of the FMB family: the inverse of `attributesOf`. */
export function elementsOf(attributes: Attributes, event: number): { fixed: IoElement[]; variable: IoElement[] } {
  const fixed: IoElement[] = []
  const variable: IoElement[] = []
  for (const [name, is] of Object.entries(attributes)) {
    if (name === 'vin') variable.push({ id: vin, value: Buffer.from(String(is), 'latin1') })
    else if (name === 'alarm')
      fixed.push(
        ...String(is)
          .split(',')
          .map((alarm) => alarmElement(alarm, event)),
      )
    else fixed.push(elementOf(name, is))
  }
  return { fixed, variable }
}

/** A whole number (negative ones as two's complement), most significant byte first. */
export function bigEndian(value: number | bigint, bytes: number): number[] {
  const whole = BigInt.asUintN(bytes * 8, BigInt(value))
  return Array.from({ length: bytes }, (_, index) => Number((whole >> BigInt((bytes - 1 - index) * 8)) & 0xffn))
}

function elementOf(name: string, is: string | number | boolean): IoElement {
  const [, unknownId] = /^io(\d+)$/.exec(name) ?? []
  if (unknownId) return { id: Number(unknownId), value: Uint8Array.from(shortest(BigInt(is))) }
  for (const { id, meaning } of table) {
    const value = valueOf(name, is, meaning)
    if (value) return { id, value: Uint8Array.from(value) }
  }
  throw new RangeError(`no IO element says ${name} = ${is}`)
}

function valueOf(name: string, is: string | number | boolean, meaning: IoMeaning): number[] | null {
  if (meaning.kind === 'alarm' || meaning.name !== name) return null
  if (meaning.kind === 'flag') return [is === true ? 1 : 0]
  if (meaning.kind === 'key') return keyBytes(String(is), meaning.as)
  const raw = Math.round((Number(is) * (meaning.divide ?? 1)) / (meaning.times ?? 1))
  const limit = 256 ** meaning.bytes
  const fits = meaning.isSigned ? raw >= -limit / 2 && raw < limit / 2 : raw >= 0 && raw < limit
  return fits ? bigEndian(raw, meaning.bytes) : null
}

function keyBytes(key: string, as: Extract<IoMeaning, { kind: 'key' }>['as']): number[] {
  const bytes = bigEndian(BigInt(as === 'digits' ? key : `0x${key}`), 8)
  return as === 'littleEndianHex' ? bytes.toReversed() : bytes
}

function alarmElement(alarm: string, event: number): IoElement {
  for (const { id, meaning } of table) {
    if (meaning.kind !== 'alarm') continue
    const values = { ...meaning.values, ...(event === id && meaning.onEvent) }
    const [value] = Object.entries(values).find(([, name]) => name === alarm) ?? []
    if (value !== undefined) return { id, value: Uint8Array.of(Number(value)) }
  }
  throw new RangeError(`no IO element raises ${alarm}`)
}

function shortest(value: bigint): number[] {
  return bigEndian(value, widths.find((width) => value < 256n ** BigInt(width)) ?? 8)
}

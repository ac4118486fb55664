import type { Fix } from '../../positions/fix.ts'
import { sealed } from './command.ts'
import { bigEndian, elementsOf } from './encode-values.ts'
import type { IoElement } from './io-values.ts'
import { layouts, type Layout, type RecordCodec } from './records.ts'

/** The first bytes of a device on a stream: its IMEI, which the server answers with 01. */
export function encodeLogin(imei: string): Uint8Array {
  return Uint8Array.of(...bigEndian(imei.length, 2), ...Buffer.from(imei, 'latin1'))
}

/**
 * Fixes (at most 255) as one packet of a device, Codec 8 Extended by default; the server answers with their number in 4 bytes. Reading
 * it back gives the same fixes. An attribute without an IO element is an error.
 */
export function encodePacket(fixes: readonly Fix[], codec: RecordCodec = 0x8e): Uint8Array {
  return sealed(dataField(fixes, codec))
}

/** The same as a datagram. */
export function encodeDatagram(imei: string, fixes: readonly Fix[], ids: { packet: number; avl: number }): Uint8Array {
  const content = [...bigEndian(ids.packet, 2), 1, ids.avl, ...encodeLogin(imei), ...dataField(fixes, 0x8e)]
  return Uint8Array.of(...bigEndian(content.length, 2), ...content)
}

function dataField(fixes: readonly Fix[], codec: RecordCodec): Uint8Array {
  if (fixes.length > 255) throw new RangeError(`${fixes.length} fixes do not fit one packet`)
  return Uint8Array.from([codec, fixes.length, ...fixes.flatMap((fix) => recordOf(fix, layouts[codec])), fixes.length])
}

function recordOf(fix: Fix, layout: Layout): number[] {
  const { sat = fix.isValid ? 8 : 0, priority = 0, event = 0, ...rest } = fix.attributes
  const elements = elementsOf(rest, Number(event))
  const ofWidth = (width: number) => elements.fixed.filter(({ value }) => value.length === width)
  return [
    ...bigEndian(fix.fixTime, 8),
    Number(priority),
    ...bigEndian(Math.round((fix.longitude ?? 0) * 1e7), 4),
    ...bigEndian(Math.round((fix.latitude ?? 0) * 1e7), 4),
    ...bigEndian(fix.altitude ?? 0, 2),
    ...bigEndian(fix.course ?? 0, 2),
    fix.isValid ? Number(sat) : 0,
    ...bigEndian(fix.speed ?? 0, 2),
    ...bigEndian(Number(event), layout.id),
    ...(layout.hasGeneration ? [7] : []),
    ...bigEndian(elements.fixed.length + elements.variable.length, layout.count),
    ...[1, 2, 4, 8].flatMap((width) => groupOf(ofWidth(width), layout, false)),
    ...(layout.hasVariable ? groupOf(elements.variable, layout, true) : []),
  ]
}

function groupOf(elements: readonly IoElement[], layout: Layout, saysLength: boolean): number[] {
  const pieces = elements.flatMap(({ id, value }) => [
    ...bigEndian(id, layout.id),
    ...(saysLength ? bigEndian(value.length, 2) : []),
    ...value,
  ])
  return [...bigEndian(elements.length, layout.count), ...pieces]
}

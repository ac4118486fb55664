import { put, type Reading, type Step } from './draft.ts'

interface CellForm {
  /** Bytes of the network code; always 2 when the country's top bit is set. */
  mnc?: 1 | 2
  lac?: 2 | 4
  cid?: 3 | 4 | 8
}

/** A cell tower: country, network, area, cell. */
export const cell =
  (form: CellForm = {}): Step =>
  (reading) => {
    const { mcc, mnc } = operator(reading, form.mnc)
    const lac = reading.c.u(form.lac ?? 2)
    addCell(reading, { mcc, mnc, lac, cid: reading.c.u(form.cid ?? 3) })
  }

/** Status, battery, signal, alarm and language, as they usually follow a cell with its length in front. */
const usualTail = 5

interface SizedForm extends CellForm {
  /** Bytes that follow the cell in most messages of the type. */
  tail?: number
  /** The meaning of its length where the following bytes do not decide it. */
  countsItself?: boolean
}

/**
 * A cell tower with its length in front. Makers disagree on whether the length includes itself; the bytes after the cell decide. Length
 * 0 means no cell, though its bytes may be present as zeros.
 */
export const sizedCell =
  ({ tail = usualTail, countsItself = true, ...form }: SizedForm = {}): Step =>
  (reading) => {
    const { c } = reading
    const length = c.u(1)
    if (length === 0) return skipZeros(reading, c.left() - tail)
    const before = c.left()
    cell(form)(reading)
    const over = length - (before - c.left())
    const fitting = [over - 1, over].find((more) => more >= 0 && c.left() - more === tail)
    c.skip(Math.max(0, fitting ?? (countsItself ? over - 1 : over)))
  }

/** Skips an absent cell: at least the size of a cell in zeros, which could not be a status. */
function skipZeros({ c }: Reading, spare: number): void {
  const smallestCell = 8
  if (spare >= smallestCell && c.isZero(4)) c.skip(spare)
}

/** A cell tower whose form depends on its network type (from 3 on: 4G), and its signal. */
export const typedCell: Step = (reading) => {
  const is4g = reading.c.u(1) >= 3
  cell(is4g ? { lac: 4, cid: 8 } : {})(reading)
  reading.c.skip(is4g ? 2 : 1)
}

interface NeighbourForm extends CellForm {
  /** Number of cells; null: the message has the number in front. */
  count?: number | null
  /** Timing advance comes before the cells instead of after them. */
  isTimingFirst?: boolean
}

/** The cells received by the device, the serving one first, with their signals in -dBm. */
export const neighbours =
  (form: NeighbourForm = {}): Step =>
  (reading) => {
    const { c } = reading
    if (form.isTimingFirst) c.skip(1)
    const { mcc, mnc } = operator(reading, form.mnc)
    const count = form.count === null ? c.u(1) : (form.count ?? 7)
    for (let index = 0; index < count; index++) {
      const lac = c.u(form.lac ?? 2)
      const cid = c.u(form.cid ?? 3)
      addCell(reading, { mcc, mnc, lac, cid, rssi: -c.u(1) })
    }
    if (!form.isTimingFirst) c.skip(1)
  }

/** The access points received by the device: their number, then address and signal of each. */
export const accessPoints: Step = ({ c, draft }) => {
  const count = c.u(1)
  for (let index = 0; index < count; index++) draft.points.push({ macAddress: macOf(c.hex(6)), signalStrength: -c.u(1) })
}

/** Access points with two unused bytes in front of each address (type 0xF3). */
export const plainAccessPoints: Step = ({ c, draft }) => {
  const count = c.u(1)
  for (let index = 0; index < count; index++) {
    c.skip(2)
    draft.points.push({ macAddress: macOf(c.hex(6)) })
  }
}

function macOf(hex: string): string {
  return hex.replaceAll(/(..)(?=.)/g, '$1:')
}

function operator({ c }: Reading, size: 1 | 2 = 1): { mcc: number; mnc: number } {
  const country = c.u(2)
  return { mcc: country & 0x7fff, mnc: c.u(country & 0x8000 ? 2 : size) }
}

function addCell(reading: Reading, tower: { mcc: number; mnc: number; lac: number; cid: number; rssi?: number }): void {
  if (tower.lac === 0 || tower.mcc === 0) return
  const signal = tower.rssi === undefined ? {} : { signalStrength: tower.rssi }
  reading.draft.cells.push({
    mobileCountryCode: tower.mcc,
    mobileNetworkCode: tower.mnc,
    locationAreaCode: tower.lac,
    cellId: tower.cid,
    ...signal,
  })
}

/** Area and cell with country and network, followed by the signal of the modem (AZ735). */
export const cellAndSignal: Step = (reading) => {
  const length = reading.c.u(1)
  if (length === 0) return
  const end = reading.c.left() - length
  cell()(reading)
  put(reading, 'rssi', reading.c.u(1))
  if (reading.c.left() > end) reading.c.skip(reading.c.left() - end)
}

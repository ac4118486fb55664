import { alarmOf, statusAlarms } from './alarms.ts'
import { put, type Reading, type Step } from './draft.ts'

/** The status byte: armed, ignition, charging, a running alarm, oil and power cut. */
export const statusByte: Step = (reading) => readStatus(reading, statusAlarms)

/** The status byte of VXT01, whose alarm 7 is speed. */
export const statusByteVxt: Step = (reading) => readStatus(reading, { ...statusAlarms, 7: 'overspeed' })

function readStatus(reading: Reading, names: Readonly<Record<number, string>>): void {
  const bits = reading.c.u(1)
  put(reading, 'status', bits)
  put(reading, 'armed', (bits & 0x01) !== 0)
  put(reading, 'ignition', (bits & 0x02) !== 0)
  put(reading, 'charge', (bits & 0x04) !== 0)
  put(reading, 'blocked', (bits & 0x80) !== 0)
  raise(reading, names[(bits >> 3) & 7])
}

/** Adds an alarm by its name; ignores null. */
export function raise(reading: Reading, name: string | null | undefined): void {
  if (name) reading.draft.alarms.push(name)
}

/** Battery: up to 6 a level of six, else per cent; and the signal of the modem. */
export const battery: Step = (reading) => {
  const value = reading.c.u(1)
  if (value <= 6) put(reading, 'batteryLevel', Math.floor((value * 100) / 6))
  else if (value <= 100) put(reading, 'batteryLevel', value)
}

export const signal: Step = (reading) => put(reading, 'rssi', reading.c.u(1))

export const alarmByte: Step = (reading) => raise(reading, alarmOf(reading.c.u(1), reading.model))

/** The alarm byte with the upper bits of its code in the following language byte. */
export const wideAlarm: Step = (reading) => {
  const low = reading.c.u(1)
  raise(reading, alarmOf(((reading.c.u(1) >> 4) << 8) | low, reading.model))
}

/** A number as an attribute: bytes, divisor. */
export const number =
  (name: string, size: 1 | 2 | 3 | 4, divisor = 1): Step =>
  (reading) =>
    put(reading, name, reading.c.u(size) / divisor)

/** A signed number as an attribute. */
export const signed =
  (name: string, size: 2 | 4, divisor = 1): Step =>
  (reading) =>
    put(reading, name, reading.c.i(size) / divisor)

/** A number whose first bit is its sign. */
export const signAndSize =
  (name: string, size: 1 | 2, divisor = 1): Step =>
  (reading) => {
    const value = reading.c.u(size)
    const bit = size === 1 ? 0x80 : 0x8000
    put(reading, name, (value & bit ? -(value - bit) : value) / divisor)
  }

export const yesOrNo =
  (name: string): Step =>
  (reading) =>
    put(reading, name, reading.c.u(1) > 0)

/** Volts as hundredths in two bytes. */
export const power: Step = number('power', 2, 100)

/** Engine hours, sent in minutes and stored in milliseconds. */
export const engineMinutes: Step = (reading) => put(reading, 'hours', reading.c.u(3) * 60_000)

/** Ignition, the reason of the message, and whether it comes from the buffer. */
export const reason: Step = (reading) => {
  if (reading.c.left() < 3) return
  yesOrNo('ignition')(reading)
  number('event', 1)(reading)
  fromBuffer(reading)
}

/** The same at the end of the message, where the reason is the upload mode; only when exactly this (and the odometer) is left. */
export const upload: Step = (reading) => {
  if (reading.c.left() !== 3 && reading.c.left() !== 7) return
  yesOrNo('ignition')(reading)
  reading.c.skip(1)
  fromBuffer(reading)
}

export const fromBuffer: Step = (reading) => put(reading, 'archive', reading.c.u(1) > 0 ? true : null)

/** Metres, when exactly they are left. */
export const odometerAtEnd: Step = (reading) => {
  if (reading.c.left() === 4) put(reading, 'odometer', reading.c.u(4))
}

/** A card or tag number as hex; all zeros is none. */
export const tag =
  (length: number): Step =>
  (reading) => {
    const hex = reading.c.hex(length)
    if (!/^0*$/.test(hex)) put(reading, 'driverUniqueId', hex)
  }

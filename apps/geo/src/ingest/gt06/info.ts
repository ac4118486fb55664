import { dateOf, put, time, type Reading, type Step } from './draft.ts'
import { number, power, signed } from './status.ts'

/** Fuel sensor text: address, output, temperature, version, back wave and two state digits, measured value, and more. */
const fuelText = /^!AIOIL,\d+,\d+\.\d+,(\d+\.\d+),[^,]+,\d{4},(\d+\.\d+),/

/** Status text of name=value pairs; maps each name to its attribute. */
const statusNames: ReadonlyMap<string, string> = new Map([
  ['ALM1', 'alarm1Status'],
  ['ALM2', 'alarm2Status'],
  ['ALM3', 'alarm3Status'],
  ['ALM4', 'alarm4Status'],
  ['STA1', 'otherStatus'],
  ['DYD', 'engineStatus'],
])

const statusText: Step = (reading) => {
  for (const pair of reading.c.text(reading.c.left()).split(';')) {
    const [name = '', value = ''] = pair.split('=')
    const attribute = statusNames.get(name)
    if (attribute && /^[0-9a-f]+$/i.test(value)) put(reading, attribute, Number.parseInt(value, 16))
  }
}

const door: Step = (reading) => {
  if (reading.c.left() >= 7) reading.draft.deviceTime = dateOf(reading)
  const bits = reading.c.u(1)
  put(reading, 'door', (bits & 0x01) !== 0)
  put(reading, 'io1', (bits & 0x04) !== 0)
}

const sim: Step = ({ c, draft }) => {
  c.skip(16)
  draft.attributes.iccid = c.hex(10).replace(/f+$/, '')
}

const networkOrPower: Step = (reading) => {
  if (reading.c.left() === 1) put(reading, 'networkTechnology', reading.c.u(1) > 0 ? '4G' : '2G')
  else if (reading.c.left() === 2) power(reading)
}

const fuel: Step = (reading) => {
  if (reading.c.left() > 6 && reading.c.peek() !== 0x21) reading.c.skip(6)
  const found = fuelText.exec(reading.c.text(reading.c.left()))
  if (!found) return
  put(reading, 'temp1', Number(found[1]))
  put(reading, 'fuel', Number(found[2]))
}

/** A serial number in letters, or a card: head, kind, number, checksum, foot. */
const card: Step = (reading) => {
  const { c } = reading
  const first = c.left() > 0 ? c.peek() : 0
  if ((first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a)) return put(reading, 'serial', c.text(c.left()).trim())
  c.skip(2)
  put(reading, 'driverUniqueId', c.hex(4))
}

const parts: Readonly<Record<number, Step>> = {
  0x00: power,
  0x04: statusText,
  0x05: door,
  0x0a: sim,
  0x0b: networkOrPower,
  0x0d: fuel,
  0x1b: card,
  0x1e: (reading) => [signed('temp1', 4, 10), signed('humidity', 4, 10)].forEach((step) => step(reading)),
}

/** Type 0x94, extended: its first byte gives the kind of content. */
export const info: Step = (reading) => parts[reading.c.u(1)]?.(reading)

/** Engine values: the number of each (hexadecimal), its attribute, and the divisor of its value. */
const engineValues: Readonly<Record<number, string>> = {
  0x2b: 'fuel',
  0x2d: 'coolantTemp',
  0x35: 'obdSpeed',
  0x36: 'rpm',
  0x47: 'fuelUsed',
}

/** Type 0x8C: time, ignition, engine values as text (their numbers in hexadecimal, hundredths); then an unused place. */
export const engine: Step = (reading) => {
  time(reading)
  put(reading, 'ignition', reading.c.u(1) > 0)
  const text = reading.c.text(Math.max(0, reading.c.left() - 12))
  for (const pair of text.split(',')) {
    const [name = '', value = ''] = pair.split('=')
    const id = Number.parseInt(name.slice(0, 2), 16)
    if (id === 0x4a && value) put(reading, 'vin', value)
    const attribute = engineValues[id]
    if (attribute && /^[0-9a-f]+$/i.test(value)) put(reading, attribute, Number.parseInt(value, 16) / 100)
  }
}

/** Type 0x94, short form: the supply voltage alone. */
export const shortInfo: Step = signed('power', 2, 100)

/** A card or tag number of six bytes as a decimal number. */
export const iButton: Step = (reading: Reading) => {
  const high = reading.c.u(4)
  put(reading, 'driverUniqueId', String(high * 0x10000 + reading.c.u(2)))
}

/** Odometer, engine hours in seconds, a terminal number and the inputs (LW 4G). */
export const lwEnd: Step = (reading) => {
  number('odometer', 4)(reading)
  put(reading, 'hours', reading.c.u(4) * 1000)
  reading.c.skip(8)
  number('input', 2)(reading)
}

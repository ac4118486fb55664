import { alarmOf, az735Alarms, cameraAlarms } from './alarms.ts'
import { dateOf, put, skip, type Step } from './draft.ts'
import { gpsFlagsFirst, gpsPlain } from './location.ts'
import { alarmByte, battery, fromBuffer, number, power, raise, signAndSize, signal, statusByte, yesOrNo } from './status.ts'

const all =
  (...steps: Step[]): Step =>
  (reading) =>
    steps.forEach((step) => step(reading))

/** Two bytes of inputs after the cell (Benway): ignition, second input, then a temperature or an analogue value. */
export const benwayInputs: Step = (reading) => {
  const bits = reading.c.u(2)
  put(reading, 'ignition', (bits & 0x8000) !== 0)
  put(reading, 'in2', (bits & 0x4000) !== 0)
  const value = bits & 0x1ff
  if (bits & 0x1000) put(reading, 'temp1', bits & 0x200 ? -value : value)
  else put(reading, 'adc1', bits & 0x2000 ? bits & 0x3ff : (bits & 0x3ff) / 10)
}

/** Status, power, fuel, temperature and odometer after the cell (S5). */
export const s5: Step = all(statusByte, power, signal, alarmByte, number('oil', 2), signAndSize('temp1', 1), (reading) =>
  put(reading, 'odometer', reading.c.u(4) * 10),
)

/** Odometer, card, its alarm and state, driving time (WeTrust). */
export const weTrust: Step = (reading) => {
  number('odometer', 4)(reading)
  put(reading, 'card', reading.c.text(reading.c.u(1)) || null)
  raise(reading, reading.c.u(1) > 0 ? 'general' : null)
  number('cardStatus', 1)(reading)
  number('drivingTime', 2)(reading)
}

/** Odometer and the text of a driver's card (GT06E). */
export const gt06Card: Step = (reading) => {
  number('odometer', 4)(reading)
  put(reading, 'card', reading.c.text(reading.c.u(1)).trim() || null)
}

/** Ignition, odometer, temperature and humidity after the cell (Seeworld). */
export const seeworld: Step = all(
  yesOrNo('ignition'),
  skip(1),
  fromBuffer,
  number('odometer', 4),
  skip(4),
  signAndSize('temp1', 2, 100),
  signAndSize('humidity', 2, 100),
)

/** The heartbeat of an OBD tracker: satellites and signal in one word, temperature in mode 4. */
export const obdHeartbeat: Step = (reading) => {
  const { c } = reading
  statusByte(reading)
  const word = c.u(2)
  put(reading, 'sat', ((word >> 10) & 0x1f) + ((word >> 5) & 0x1f))
  put(reading, 'rssi', word & 0x1f)
  alarmByte(reading)
  c.skip(1)
  number('batteryLevel', 1)(reading)
  const mode = c.u(1)
  power(reading)
  c.skip(3)
  if (mode === 4) put(reading, 'temp1', c.i(2) / 10)
}

/** A heartbeat of 16 bytes with the battery in per cent and a temperature whose first bit means above zero. */
export const sensorHeartbeat: Step = (reading) => {
  reading.c.skip(5)
  number('batteryLevel', 1)(reading)
  reading.c.skip(8)
  const value = reading.c.u(2)
  put(reading, 'temp1', (value & 0x8000 ? value - 0x8000 : -value) / 10)
}

/** The status of Seeworld 4G trackers; only the longer form has fields after the language. */
export const seeworldStatus: Step = (reading) => {
  const { c } = reading
  statusByte(reading)
  c.skip(2)
  battery(reading)
  signal(reading)
  number('power', 1)(reading)
  c.skip(3)
  number('steps', 4)(reading)
  number('batteryLevel', 1)(reading)
  put(reading, 'charge', c.u(1) === 1)
  put(reading, 'motion', c.u(1) === 1)
}

/** The plain heartbeat. An impossible signal value shows that this model uses these bytes for something else. */
export const heartbeat: Step = (reading) => {
  statusByte(reading)
  if (reading.model === 'R11') return all(power, signal)(reading)
  battery(reading)
  const rssi = reading.c.u(1)
  if (rssi > 100) {
    delete reading.draft.attributes.batteryLevel
    return
  }
  put(reading, 'rssi', rssi)
  if (reading.model.startsWith('LW')) put(reading, 'power', (reading.c.u(2) & 0xfff) / 10)
  else if (reading.model === 'SEEWORLD') number('power', 1)(reading)
  else alarmByte(reading)
}

/** The GK310's heartbeat: battery in volts when present. */
export const shortHeartbeat: Step = (reading) => {
  const bits = reading.c.u(1)
  put(reading, 'armed', (bits & 0x01) !== 0)
  put(reading, 'ignition', (bits & 0x02) !== 0)
  put(reading, 'charge', (bits & 0x04) !== 0)
  number('battery', 2, 100)(reading)
  signal(reading)
}

/** An alarm of a dash camera: with a place when it is longer than date and code; then its data and files. */
export const cameraAlarm: Step = (reading) => {
  const { c } = reading
  const isLong = c.left() > 7
  const isJc400 = isLong && c.peek() === 0xff
  if (isJc400) c.skip(3)
  if (!isLong) reading.draft.fixTime = dateOf(reading)
  else if (isJc400) gpsFlagsFirst(reading)
  else gpsPlain(reading)
  if (isJc400) number('power', 2, 10)(reading)
  const event = c.u(1)
  put(reading, 'event', event)
  raise(reading, event === 1 ? (isLong ? 'sos' : 'general') : cameraAlarms[event])
  number('eventData', 2)(reading)
  put(reading, 'eventFiles', c.text(c.left()) || null)
}

/** The part after the place of AZ735: lists of cells and access points, then the status, which names the alarm in alarm messages. */
export const az735End =
  (isAlarm: boolean): Step =>
  (reading) => {
    reading.c.skip(reading.c.u(1))
    reading.c.skip(reading.c.u(1))
    const status = reading.c.u(1)
    put(reading, 'status', status)
    if (!isAlarm) return
    raise(reading, az735Alarms[status])
    if (status === 0xa0 || status === 0xa1) put(reading, 'armed', status === 0xa0)
  }

/** The alarm of TRX16i, also stored as the event, and its card. */
export const trxAlarm: Step = (reading) => {
  const code = reading.c.u(1)
  raise(reading, alarmOf(code, reading.model, 'trx'))
  put(reading, 'event', code)
}

/** Odometer, drivers and voltages of X1, with as many analogue inputs as the message declares. */
export const x1: Step = (reading) => {
  const { c } = reading
  const driver = c.u(4)
  put(reading, 'driverUniqueId', driver > 0 ? String(driver) : null)
  all(number('battery', 2, 100), power)(reading)
  const ports = c.u(4)
  all(number('input', 1), number('output', 1))(reading)
  for (let index = 1; index <= ((ports >> 20) & 0x0f); index++) number(`adc${index}`, 2, 100)(reading)
}

/** A driver's tag: its length, its kind, its number (XT40). */
export const sizedDriver: Step = (reading) => {
  const length = reading.c.u(1)
  if (length < 2) return
  reading.c.skip(1)
  put(reading, 'driverUniqueId', reading.c.hex(length - 1))
}

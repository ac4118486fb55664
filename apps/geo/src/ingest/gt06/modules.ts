import { moduleAlarms } from './alarms.ts'
import { cell } from './cells.ts'
import { asFarAsItGoes, cursorOver } from './cursor.ts'
import { put, type Reading, type Step } from './draft.ts'
import { gpsModule } from './location.ts'
import { number, power, raise, signed, yesOrNo } from './status.ts'

/** Reads modules (number, length, content) until the message ends; an unknown module is skipped. */
function modules(known: Readonly<Record<number, Step>>, sizeOf: (reading: Reading, id: number) => number): Step {
  return (reading) =>
    asFarAsItGoes(() => {
      while (reading.c.left() > 2) {
        const id = reading.c.u(2)
        const content = reading.c.take(sizeOf(reading, id))
        asFarAsItGoes(() => known[id]?.({ ...reading, c: cursorOver(content) }))
      }
    })
}

const inOneByte = (reading: Reading) => reading.c.u(1)
const inTwoBytes = (reading: Reading) => reading.c.u(2)

/** A little-endian number. */
const littleEndian =
  (name: string): Step =>
  (reading) => {
    put(
      reading,
      name,
      [0, 1, 2, 3].reduce((sum, index) => sum + reading.c.u(1) * 256 ** index, 0),
    )
  }

const modularEvent: Step = (reading) => {
  const event = reading.c.u(1)
  raise(reading, moduleAlarms[event])
  put(reading, 'event', event)
}

const modularDoor: Step = (reading) => {
  const bits = reading.c.u(1)
  put(reading, 'door', (bits & 0x0f) > 0)
  put(reading, 'tamper', bits >> 4 > 0)
}

/** The first tag only, by its index, under Traccar's names. */
const modularTag: Step = (reading) => {
  put(reading, 'tag1Id', reading.c.hex(6))
  for (const step of [
    number('tag1Battery', 2, 1000),
    number('tag1BatteryLevel', 1),
    signed('tag1Temp', 2, 10),
    signed('tag1Humidity', 2),
    number('tag1Status', 1),
  ])
    step(reading)
}

/** Type 0x70, which consists of modules only. */
export const modular: Step = modules(
  {
    0x03: (reading) => put(reading, 'iccid', reading.c.hex(10)),
    0x09: number('sat', 1),
    0x0a: number('satVisible', 1),
    0x11: cell({ mnc: 2 }),
    0x18: number('battery', 2, 100),
    0x28: number('hdop', 1, 10),
    0x29: number('index', 4),
    0x2a: modularDoor,
    0x2b: number('bootReason', 1),
    0x2e: littleEndian('odometer'),
    0x33: gpsModule,
    0x34: modularEvent,
    0x7f: modularTag,
  },
  inTwoBytes,
)

/** The modules after the place in type 0x37. */
export const placeModules: Step = modules(
  {
    0x27: power,
    0x2e: number('odometer', 4),
    0x3b: (reading) => {
      // Zero metres mean that the accuracy is unknown.
      reading.draft.accuracy = reading.c.u(2) / 100 || null
    },
  },
  inOneByte,
)

/** The modules after the status in types 0x36 and 0x39. */
export const statusModules: Step = modules(
  { 0x18: number('battery', 2, 100), 0x32: number('startupStatus', 1), 0x6a: number('batteryLevel', 1) },
  inOneByte,
)

/** Type 0xF1. */
export const deviceStatus: Step = modules(
  {
    0x01: (reading) => {
      const state = reading.c.u(1)
      put(reading, 'motion', state === 2 || state === 4)
    },
    0x02: yesOrNo('armed'),
    0x04: yesOrNo('ignition'),
    0x05: power,
    0x07: yesOrNo('charge'),
    0x0a: number('chargeVoltage', 2),
    0x0b: number('batteryTemp', 2, 10),
  },
  inOneByte,
)

/** Type 0xF2; the length of a beacon has two bytes, and a zero byte means that the next one counts. */
export const peripherals: Step = modules(
  {
    0x0a: (reading) => {
      reading.c.skip(1)
      put(reading, 'mac', reading.c.hex(6))
      number('event', 1)(reading)
      number('eventData', 1)(reading)
      number('dataType', 1)(reading)
      put(reading, 'dataDetails', reading.c.hex(reading.c.left()) || null)
    },
    0x0c: (reading) => {
      number('externalBatteryLevel', 1)(reading)
      put(reading, 'externalBatteryCharge', reading.c.u(1) > 0 ? true : null)
      number('externalBatteryCycles', 2)(reading)
    },
  },
  (reading, id) => (id === 0x0a ? reading.c.u(2) : reading.c.u(1) || reading.c.u(1)),
)

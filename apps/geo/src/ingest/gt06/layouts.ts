import { accessPoints, cell, cellAndSignal, neighbours, plainAccessPoints, sizedCell, typedCell } from './cells.ts'
import { dateOf, epochTime, skip, time, type Step } from './draft.ts'
import type { RawFrame } from './frame.ts'
import { engine, iButton, info, lwEnd, shortInfo } from './info.ts'
import { gps, gpsIfAny, place } from './location.ts'
import { deviceStatus, modular, peripherals, placeModules, statusModules } from './modules.ts'
import {
  alarmByte,
  battery,
  engineMinutes,
  fromBuffer,
  number,
  odometerAtEnd,
  power,
  reason,
  signal,
  statusByte,
  statusByteVxt,
  tag,
  upload,
  wideAlarm,
  yesOrNo,
} from './status.ts'
import * as own from './variants.ts'

/** How a frame is acknowledged: with its own type, with its own type in the extended form, or not at all. */
export type AckForm = 'plain' | 'extended' | 'none'

/**
 * The layout of one type's content. The first matching row decides: same type, same form (`isExtended` omitted: the short one), same
 * declared length and model where the row names them.
 */
interface Layout {
  type: number
  isExtended?: boolean
  length?: number
  minLength?: number
  models?: ReadonlySet<string>
  steps: readonly Step[]
  ack?: AckForm
}

/** Models whose types 0x22 and 0x25 are longer. */
const nt = new Set(['NT11', 'NT20', 'NT26', 'NT40', 'NT46', 'VL100', 'XT40'])
const qh = new Set(['QH302R'])

const cell4g = cell({ lac: 4, cid: 8 })
const statusAndAlarm = [statusByte, battery, signal, alarmByte]
const sentTime: Step = (reading) => {
  reading.draft.deviceTime = dateOf(reading)
}
const ntPlace = (form: Parameters<typeof sizedCell>[0]): Step[] => [
  skip(9),
  sentTime,
  gps,
  sizedCell({ ...form, tail: 13 }),
  statusByte,
  power,
  number('battery', 1, 10),
  signal,
  alarmByte,
  skip(1),
  number('odometer', 3),
  engineMinutes,
]
const placeAndModules: Step[] = [gps, skip(2), typedCell, placeModules]

const places: readonly Layout[] = [
  { type: 0x10, steps: [gps] },
  { type: 0x11, steps: [gps, cell({ mnc: 2, cid: 4 }), upload, odometerAtEnd] },
  { type: 0x12, models: qh, steps: [skip(8), gps, cell(), upload, odometerAtEnd] },
  { type: 0x12, length: 0x21, steps: [gps, cell(), own.benwayInputs] },
  { type: 0x12, length: 0x24, steps: [gps, cell(), statusByteVxt, power, signal] },
  { type: 0x12, length: 0x29, steps: [gps, cell(), own.weTrust] },
  { type: 0x12, length: 0x2b, steps: [gps, cell(), own.s5] },
  { type: 0x12, minLength: 0x71, steps: [gps, cell(), own.gt06Card] },
  { type: 0x12, steps: [gps, cell(), upload, odometerAtEnd] },
  { type: 0x16, length: 0x24, steps: [gps, cell(), statusByteVxt, power, signal] },
  { type: 0x16, length: 0x26, steps: [gps, sizedCell({ cid: 4 }), ...statusAndAlarm] },
  { type: 0x16, length: 0x2d, steps: [gps, sizedCell({ tail: 13 }), statusByte, battery, signal, own.trxAlarm, skip(1), tag(8)] },
  { type: 0x16, steps: [gps, sizedCell(), ...statusAndAlarm] },
  { type: 0x17, length: 0x28, steps: [gps, cell(), tag(8)] },
  { type: 0x1a, steps: [gps] },
  { type: 0x1e, steps: [gps] },
  { type: 0x22, models: nt, steps: ntPlace({ cid: 3 }) },
  { type: 0x22, length: 0x2f, steps: [gps, cell({ cid: 4 }), own.seeworld] },
  { type: 0x22, steps: [gps, cell(), reason, odometerAtEnd] },
  { type: 0x24, length: 0x2e, steps: [gps, cell(), yesOrNo('ignition'), power, number('battery', 2, 100)], ack: 'none' },
  { type: 0x25, models: nt, steps: [...ntPlace({ cid: 4, countsItself: false }), own.sizedDriver] },
  { type: 0x25, steps: [gps, cell({ cid: 4 }), upload, odometerAtEnd] },
  { type: 0x26, steps: [gps, sizedCell(), ...statusAndAlarm] },
  { type: 0x27, steps: [gps, sizedCell({ tail: 6 }), statusByte, battery, signal, wideAlarm, number('geofence', 1)] },
  { type: 0x2d, steps: [gps, cell(), reason, odometerAtEnd] },
  { type: 0x31, length: 0x2a, steps: [gps, cell({ mnc: 2, cid: 4 }), reason, number('odometer', 4), altitude()] },
  { type: 0x31, steps: [gps, cell(), reason, odometerAtEnd] },
  { type: 0x32, length: 0x27, steps: [gps, sizedCell({ mnc: 2, cid: 4 }), ...statusAndAlarm] },
  { type: 0x32, length: 0x29, steps: [gps, sizedCell({ mnc: 2, cid: 4, tail: 7 }), ...statusAndAlarm, skip(1), altitude()] },
  { type: 0x32, steps: [gps, sizedCell(), ...statusAndAlarm] },
  { type: 0x32, isExtended: true, steps: [gpsIfAny, cellAndSignal, own.az735End(false)], ack: 'extended' },
  { type: 0x33, isExtended: true, steps: [gpsIfAny, cellAndSignal, own.az735End(true)], ack: 'extended' },
  { type: 0x34, length: 0x3c, steps: [skip(4), gps, skip(2), number('odometer', 4), cell({ cid: 4 }), own.x1], ack: 'none' },
  {
    type: 0x36,
    length: 0x35,
    steps: [
      gps,
      cell({ cid: 4 }),
      yesOrNo('ignition'),
      number('uploadMode', 1),
      fromBuffer,
      number('odometer', 4),
      power,
      number('battery', 1, 10),
      engineMinutes,
      tag(8),
    ],
  },
  { type: 0x37, steps: [gps, cell(), reason, placeModules] },
  { type: 0x38, steps: placeAndModules, ack: 'none' },
  { type: 0x38, isExtended: true, steps: placeAndModules, ack: 'none' },
  { type: 0x39, steps: [gps, typedCell, statusByte, battery, signal, wideAlarm, statusModules] },
  { type: 0x61, steps: [skip(8), time, place, cell({ cid: 4 }), iButton] },
  { type: 0x95, steps: [own.cameraAlarm] },
  { type: 0xa0, steps: [gps, cell4g, upload, odometerAtEnd] },
  { type: 0xa2, length: 0x40, steps: [gps, cell4g, skip(1), statusByte, power, battery, signal, alarmByte, skip(1), lwEnd] },
  { type: 0xa3, length: 0x0c, steps: [own.seeworldStatus] },
  { type: 0xa3, length: 0x18, steps: [own.seeworldStatus] },
  { type: 0xa3, steps: [gps, cell(), upload, odometerAtEnd] },
  { type: 0xa4, steps: [gps, sizedCell({ lac: 4, cid: 8, tail: 6 }), statusByte, battery, signal, wideAlarm, number('geofence', 1)] },
]

/** Sent without a place: cells and access points, and the device's status. */
const others: readonly Layout[] = [
  { type: 0x13, length: 0x13, steps: [own.obdHeartbeat] },
  { type: 0x13, length: 0x15, steps: [own.sensorHeartbeat] },
  { type: 0x13, steps: [own.heartbeat] },
  { type: 0x18, steps: [time, neighbours(), accessPoints] },
  // More than one cell with status: a list of cells that is not documented, and no status (Space 10X).
  { type: 0x19, minLength: 0x17, steps: [] },
  { type: 0x19, steps: [cell(), ...statusAndAlarm] },
  { type: 0x23, steps: [own.shortHeartbeat] },
  { type: 0x24, length: 0x31, steps: [time, neighbours({ isTimingFirst: true, count: null })] },
  { type: 0x24, steps: [time, neighbours()] },
  { type: 0x28, steps: [time, neighbours()] },
  { type: 0x2c, steps: [time, neighbours(), accessPoints] },
  { type: 0x2e, steps: [time, neighbours()] },
  { type: 0x33, steps: [time, neighbours({ cid: 4, count: 6 }), accessPoints] },
  { type: 0x34, steps: [time, neighbours({ isTimingFirst: true, mnc: 2, cid: 4 })] },
  { type: 0x36, steps: [statusByte, battery, signal, alarmByte, skip(1), statusModules] },
  { type: 0x70, isExtended: true, steps: [modular], ack: 'plain' },
  { type: 0x8c, isExtended: true, steps: [engine] },
  { type: 0x94, steps: [shortInfo], ack: 'none' },
  { type: 0x94, isExtended: true, steps: [info] },
  { type: 0xa1, steps: [time, neighbours({ lac: 4, cid: 8 })] },
  { type: 0xa2, steps: [time, neighbours({ lac: 4, cid: 8 }), accessPoints] },
  { type: 0xa5, steps: [cell4g, ...statusAndAlarm] },
  { type: 0xa7, steps: [cell()] },
  { type: 0xf1, isExtended: true, steps: [epochTime, deviceStatus], ack: 'plain' },
  { type: 0xf2, isExtended: true, steps: [epochTime, peripherals], ack: 'plain' },
  { type: 0xf3, steps: [time, plainAccessPoints], ack: 'none' },
]

const byType = Map.groupBy([...places, ...others], (layout) => layout.type)

/**
 * The layout and acknowledgement of a frame; null when its type is unknown. By default short frames are acknowledged and extended ones
 * are not.
 */
export function layoutOf(frame: RawFrame, model: string): { steps: readonly Step[]; ack: AckForm } | null {
  const found = byType
    .get(frame.type)
    ?.find(
      (layout) =>
        (layout.isExtended ?? false) === frame.isExtended &&
        (layout.length ?? frame.length) === frame.length &&
        frame.length >= (layout.minLength ?? 0) &&
        (!layout.models || layout.models.has(model)),
    )
  return found ? { steps: found.steps, ack: found.ack ?? (frame.isExtended ? 'none' : 'plain') } : null
}

/** Metres above the sea in two bytes. */
function altitude(): Step {
  return (reading) => {
    reading.draft.altitude = reading.c.i(2)
  }
}

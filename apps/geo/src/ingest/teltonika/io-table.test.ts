import { describe, expect, it } from 'vitest'
import { ioTableOf } from './io-table.ts'
import { attributesOf } from './io-values.ts'

const element = (id: number, ...value: number[]) => ({ id, value: Uint8Array.from(value) })
const read = (model: string | null, event: number, ...elements: { id: number; value: Uint8Array }[]) =>
  attributesOf(elements, ioTableOf(model), event)

describe('the meaning of IO elements', () => {
  it('in volts, metres, degrees and names', () => {
    const elements = [
      element(66, 0x30, 0x39),
      element(16, 0, 1, 0x86, 0xa0),
      element(72, 0xff, 0xff, 0xff, 0xce),
      element(239, 1),
      element(78, 1, 2, 3, 4, 5, 6, 7, 8),
    ]
    expect(read(null, 0, ...elements)).toEqual({
      power: 12.345,
      odometer: 100_000,
      temp1: -5,
      ignition: true,
      driverUniqueId: '0807060504030201',
    })
  })

  it('depends on the model: 81 is the speed of an FMB and a CAN value of an FM6, 389 kilometres of a dongle', () => {
    expect(read('FMB120', 0, element(81, 50))).toEqual({ obdSpeed: 50 })
    expect(read(' fmb640', 0, element(81, 50))).toEqual({ io81: 50 })
    expect(read('TAT100', 0, element(113, 50))).toEqual({ io113: 50 })
    expect(read('FMC003', 0, element(389, 0, 0, 0, 9))).toEqual({ obdOdometer: 9000 })
    expect(read('FMB120', 0, element(389, 0, 0, 0, 9))).toEqual({ io389: 9 })
  })

  it('keeps unknown ids, values too wide for their meaning, and fault codes of sensors', () => {
    expect(read(null, 0, element(9999, 7), element(113, 0, 0, 1, 0), element(72, 0, 0, 0x0b, 0xb8))).toEqual({
      io9999: 7,
      io113: 256,
      io72: 3000,
    })
    expect(read(null, 0, element(14, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))).toEqual({ io14: '18446744073709551615' })
  })

  it('no key on the reader is no driver', () => {
    expect(read(null, 78, element(78, 0, 0, 0, 0, 0, 0, 0, 0))).toEqual({})
  })
})

describe('alarms', () => {
  it('of one record are combined', () => {
    expect(read(null, 0, element(252, 1), element(246, 1), element(253, 2))).toEqual({ alarm: 'powerCut,tow,hardBraking' })
  })

  it('that end with a record of their own are reported there only', () => {
    expect(read(null, 252, element(252, 0))).toEqual({ alarm: 'powerRestored' })
    expect(read(null, 0, element(252, 0))).toEqual({})
    expect(read(null, 175, element(175, 0))).toEqual({ alarm: 'geofenceExit' })
    expect(read(null, 239, element(175, 0))).toEqual({})
  })
})

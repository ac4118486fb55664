import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { variableAttributes } from './variable-values.ts'

const read = (id: number, hex: string) => variableAttributes([{ id, value: new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex')) }])

describe('elements of variable length', () => {
  it('texts', () => {
    expect(read(256, Buffer.from('WV1ZZZ2EZ86015388').toString('hex'))).toEqual({ vin: 'WV1ZZZ2EZ86015388' })
    expect(read(281, Buffer.from('P0299,P0675').toString('hex'))).toEqual({ dtcs: 'P0299 P0675' })
  })

  it('beacons of both kinds', () => {
    const iBeacon = `21 ${'ab'.repeat(16)} 0102 0304 c4`
    const eddystone = `06 ${'cd'.repeat(10)} ${'ef'.repeat(6)} c5 0120 0015`
    expect(read(385, `11 ${iBeacon} ${eddystone}`)).toEqual({
      beacon1Uuid: 'ab'.repeat(16),
      beacon1Major: 258,
      beacon1Minor: 772,
      beacon1Rssi: -60,
      beacon2Namespace: 'cd'.repeat(10),
      beacon2Instance: 'ef'.repeat(6),
      beacon2Rssi: -59,
      beacon2Battery: 2.88,
      beacon2Temp: 21,
    })
  })

  it('tags with their parameters, without unknown ones', () => {
    expect(read(10_829, '01 0d 0001c4 0602ff38 070137 630101')).toEqual({ tag1Rssi: -60, tag1Temp: -200, tag1Humidity: 55 })
  })

  it('truncated or unknown values stay hex, and nothing throws', () => {
    expect(read(385, '11 21 abab')).toEqual({ io385: '1121abab' })
    expect(read(548, '01 0e 0001')).toEqual({ io548: '010e0001' })
    expect(read(7777, '0102')).toEqual({ io7777: '0102' })
    fc.assert(
      fc.property(fc.constantFrom(385, 548, 10_828, 256, 281), fc.uint8Array({ maxLength: 60 }), (id, value) => {
        expect(variableAttributes([{ id, value }])).toBeTypeOf('object')
      }),
    )
  })
})

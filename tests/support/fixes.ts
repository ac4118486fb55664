import fc from 'fast-check'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'

/** When tests of codecs take place. */
export const now = Date.parse('2026-11-21T12:00:00Z')

const attributes = fc.record(
  {
    sat: fc.integer({ min: 1, max: 40 }),
    priority: fc.integer({ min: 1, max: 2 }),
    ignition: fc.boolean(),
    motion: fc.boolean(),
    in1: fc.boolean(),
    out2: fc.boolean(),
    power: fc.integer({ min: 0, max: 65_535 }).map((millivolts) => millivolts / 1000),
    battery: fc.integer({ min: 0, max: 5000 }).map((millivolts) => millivolts / 1000),
    odometer: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    hdop: fc.integer({ min: 0, max: 500 }).map((tenths) => tenths / 10),
    axisX: fc.integer({ min: -8000, max: 8000 }),
    bleTemp1: fc.integer({ min: -4000, max: 1999 }).map((hundredths) => hundredths / 100),
    temp2: fc.integer({ min: -550, max: 849 }).map((tenths) => tenths / 10),
    driverUniqueId: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map((key) => key.toString(16).toUpperCase().padStart(16, '0')),
    alarm: fc.subarray(['general', 'accident', 'jamming', 'powerCut'], { minLength: 1 }).map((names) => names.join(',')),
    vin: fc.constantFrom('WV1ZZZ2EZ86015388', 'JTDBR32E720012345'),
    io214: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    io9999: fc.integer({ min: 0, max: 255 }),
  },
  { requiredKeys: ['sat'] },
)

const place = fc.record({
  latitude: fc.integer({ min: -900_000_000, max: 900_000_000 }).map((value) => value / 1e7),
  longitude: fc.integer({ min: 1, max: 1_800_000_000 }).map((value) => value / 1e7),
  altitude: fc.integer({ min: -400, max: 8000 }),
  course: fc.integer({ min: 0, max: 359 }),
  speed: fc.integer({ min: 0, max: 200 }),
})

/** Any message a tracker may have made in the last five years: with a place, with the last place of a device without satellites, or without one. */
export const anyFix: fc.Arbitrary<Fix> = fc
  .record({
    time: fc.integer({ min: now - 5 * 365 * 86_400_000, max: now }),
    kind: fc.constantFrom('valid', 'lastPlace', 'nowhere'),
    place,
    attributes,
  })
  .map(({ time, kind, place: where, attributes: said }) => {
    const nowhere = { latitude: null, longitude: null, altitude: null, course: null, speed: null }
    const isValid = kind === 'valid'
    return {
      fixTime: time,
      deviceTime: time,
      ...(kind === 'nowhere' ? nowhere : where),
      isValid,
      accuracy: null,
      attributes: { ...said, sat: isValid ? said.sat : 0 },
    }
  })

import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { indexFences, fenceDefaults, type Fence, type FenceSettings } from './fence-index.ts'
import { phaseOf } from './fence-state.ts'
import type { TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'
import { visitsOf, wasInside } from './visits.ts'
import { noFenceState, watchFences } from './watch.ts'

// On the equator a metre is the same to the east and to the north.
const degrees = (metres: number) => metres / 111_194.93
const place = (second: number, east: number, more: Partial<TrackPoint> = {}): TrackPoint => ({
  time: second * 1000,
  latitude: 0,
  longitude: degrees(east),
  accuracy: null,
  hdop: null,
  speed: null,
  isValid: true,
  ...more,
})
const circle = (settings: Partial<FenceSettings> = {}, radius = 200, since = -1): Fence => ({
  id: 'yard',
  since,
  settings: { ...fenceDefaults, ...settings },
  shape: { type: 'circle', area: { type: 'Point', coordinates: [0, 0] }, radius },
})
const go = (fence: Fence, points: TrackPoint[]) => watchFences({ index: indexFences([fence]), isLinked: () => true }, noFenceState, points)
const brief = ({ kind, at }: Transition) => `${kind} ${Math.round(at / 1000)}`
/** A device on the road from west to east at a given speed (m/s), with a position at a given interval (s). */
const drive = (from: number, to: number, { metresASecond = 10, every = 10, start = 0 } = {}) =>
  Array.from({ length: Math.floor((to - from) / metresASecond / every) + 1 }, (_, at) =>
    place(start + at * every, from + at * every * metresASecond),
  )

describe('a device and a fence', () => {
  it('enters and leaves when its path crosses the edge, not at the time of a position', () => {
    const { transitions } = go(circle(), drive(-950, 950))
    expect(transitions.map(brief)).toEqual(['enter 75', 'exit 115'])
    expect(transitions[0]!.longitude).toBeCloseTo(degrees(-200), 6)
    expect(transitions[0]!.confirmedAt).toBeGreaterThan(transitions[0]!.at)
  })
  it('reports of the first position only that it was inside', () => {
    expect(go(circle(), [place(0, 0), place(60, 5)]).transitions.map(brief)).toEqual(['insideAtStart 0'])
    expect(go(circle(), [place(0, 900), place(60, 905)]).transitions).toEqual([])
  })
  it('reports nothing when the fence was drawn around it later', () => {
    expect(go(circle({}, 200, 30_000), [place(0, 0), place(20, 0), place(60, 0)]).transitions.map(brief)).toEqual(['insideAtStart 60'])
  })
  it('trusts one position while driving, two otherwise', () => {
    const points = (speed: number) => [place(0, -900), place(60, -100, { speed })]
    expect(go(circle(), points(40)).transitions.map(brief)).toEqual(['enter 53'])
    const slow = go(circle(), points(0))
    expect(slow.transitions).toEqual([])
    expect(phaseOf(slow.device.fences.yard)).toBe('entering')
  })
  it('ignores a parked device that jumps out once', () => {
    const parked = [place(0, 0), place(60, 3), place(120, 600), place(180, -2), place(240, 1)]
    expect(go(circle(), parked).transitions.map(brief)).toEqual(['insideAtStart 0'])
  })
  it('trusts a vague phone that came from far away and stays', () => {
    const vague = (count: number, wait: number) =>
      Array.from({ length: count }, (_, at) => place(600 + at * wait, 170 + (at % 3), { accuracy: 60 }))
    const far = place(0, 2000, { accuracy: 60 })
    expect(go(circle(), [far, ...vague(4, 60)]).transitions).toEqual([])
    expect(go(circle(), [far, ...vague(5, 60)]).transitions.map(({ kind }) => kind)).toEqual(['enter'])
    expect(go(circle(), [far, place(500, 230, { accuracy: 60 }), ...vague(8, 1)]).transitions).toEqual([])
  })
  it('waits for the delays; a contradiction during them leaves no event', () => {
    const stay = [...drive(-900, 0), place(150, 0), place(200, 0)]
    expect(go(circle({ enterDelay: 60 }), stay).transitions.map(brief)).toEqual(['enter 70'])
    expect(go(circle({ enterDelay: 200 }), stay).transitions).toEqual([])
    expect(go(circle({ enterDelay: 60 }), drive(-900, 900)).transitions).toEqual([])
    expect(
      go(circle({ exitDelay: 120 }), [...drive(-900, 300), ...drive(0, 0, { start: 200 }), place(260, 0)]).transitions.map(brief),
    ).toEqual(['enter 70'])
  })
  it('ignores positions without a fix, and positions less exact than the fence', () => {
    expect(
      go(
        circle(),
        drive(-900, 900).map((point) => ({ ...point, isValid: false })),
      ).transitions,
    ).toEqual([])
    expect(
      go(circle(), [place(0, -900), ...drive(-100, 100, { start: 60 }).map((point) => ({ ...point, accuracy: 500 }))]).transitions,
    ).toEqual([])
  })
  it('reports passing through between two distant positions, when it is certain or requested', () => {
    const pass = [place(0, -900), place(180, 900)]
    const { transitions } = go(circle(), pass)
    expect(transitions.map(brief)).toEqual(['crossed 70'])
    expect(transitions[0]!.until).toBe(110_000)
    expect(
      go(
        circle(),
        pass.map((point) => ({ ...point, accuracy: 300 })),
      ).transitions,
    ).toEqual([])
    expect(go(circle({}, 10), pass).transitions).toEqual([])
    expect(go(circle({ wantsCrossed: true }, 10), pass).transitions.map(brief)).toEqual(['crossed 89'])
  })
  it('reports passing through a narrow fence at 1 Hz and at 3 minutes alike', () => {
    expect(go(circle({}, 25), drive(-900, 900, { metresASecond: 14, every: 1 })).transitions.map(({ kind }) => kind)).toEqual(['crossed'])
  })
  it('returns a window after a long silence, with the known times', () => {
    const { transitions } = go(circle(), [place(0, 0), place(60, 0), place(7200, 900), place(7260, 1500)])
    expect(transitions.map(brief)).toEqual(['insideAtStart 0', 'exit 60'])
    expect(transitions[1]!.window).toEqual({ from: 60_000, to: 7_200_000 })
    const back = go(circle(), [place(0, 900), place(7200, 0), place(7260, 10)]).transitions
    expect(back.map(brief)).toEqual(['enter 7200'])
    expect(back[0]!.window).toEqual({ from: 0, to: 7_200_000 })
    expect(go(circle(), [place(0, -900), place(7200, 900)]).transitions).toEqual([])
  })
  it('reports each dwell once, and only long enough ones', () => {
    const settings = { dwells: [300, 60] }
    const stay = [...drive(-900, 0), place(150, 0), place(260, 0), place(400, 0), place(500, 0)]
    expect(go(circle(settings), stay).transitions.map(brief)).toEqual(['enter 70', 'dwell 130', 'dwell 370'])
    expect(go(circle({ dwells: [205] }), [...drive(-900, 0), ...drive(0, 900, { start: 250 })]).transitions.map(brief)).toEqual([
      'enter 70',
      'exit 270',
    ])
    expect(go(circle(settings), [...drive(-900, 0), ...drive(0, 900, { start: 250 })]).transitions.map(brief)).toEqual([
      'enter 70',
      'dwell 130',
      'exit 270',
    ])
  })
  it('builds visits', () => {
    const { transitions } = go(circle(), [...drive(-950, 0), ...drive(0, 950, { start: 300 })])
    const visits = visitsOf(transitions)
    expect(visits).toMatchObject([{ fenceId: 'yard', enteredAt: 75_000, leftAt: 320_000, isPassing: false, isOpenStart: false }])
    expect([wasInside(visits, 'yard', 74_000), wasInside(visits, 'yard', 75_000), wasInside(visits, 'yard', 320_000)]).toEqual([
      false,
      true,
      false,
    ])
    expect(visitsOf(go(circle(), [place(0, 0), ...drive(0, 950, { start: 300 })]).transitions)).toMatchObject([
      { enteredAt: 0, leftAt: 320_000, isOpenStart: true },
    ])
  })
  it('forgets a deleted fence', () => {
    const inside = go(circle(), [place(0, 0)]).device
    expect(watchFences({ index: indexFences([]), isLinked: () => true }, inside, [place(60, 900)]).device.fences).toEqual({})
  })
})

/** Normal noise (Box and Muller) from a seed, so that a failure can be repeated. */
function noiseOf(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

describe('noise', () => {
  it.each(Array.from({ length: 4 }, (_, seed) => 3 * seed + 3))(
    'of 10 m on the very edge for 8 hours at 1 Hz makes no event (seed %i)',
    (seed) => {
      const noise = noiseOf(seed)
      const parked = Array.from({ length: 28_800 }, (_, second) => place(second, 200 + 10 * noise(), { latitude: degrees(10 * noise()) }))
      expect(go(circle(), parked).transitions.filter(({ kind }) => kind !== 'insideAtStart')).toEqual([])
    },
  )
  it.each([
    [1, 14],
    [5, 14],
    [10, 14],
    [30, 14],
    [1, 3],
    [10, 3],
  ])('of 5 m every %i s does not hide a drive at %i m/s through a yard, nor double it', (every, metresASecond) => {
    for (let seed = 1; seed <= 40; seed++) {
      const noise = noiseOf(seed)
      const arrived = 1500 / metresASecond
      const stay = Array.from({ length: Math.floor((1990 - arrived) / 60) }, (_, minute) => place(Math.ceil(arrived) + 1 + 60 * minute, 0))
      const way = [...drive(-1500, 0, { metresASecond, every }), ...stay, ...drive(0, 1500, { metresASecond, every, start: 2000 })]
      const { transitions } = go(
        circle(),
        way.map((point) => ({ ...point, latitude: degrees(5 * noise()), longitude: point.longitude + degrees(5 * noise()) })),
      )
      expect(transitions.map(({ kind }) => kind)).toEqual(['enter', 'exit'])
      expect(Math.abs(transitions[0]!.at / 1000 - 1300 / metresASecond)).toBeLessThan(every + 15 / metresASecond)
      expect(Math.abs(transitions[1]!.at / 1000 - 2000 - 200 / metresASecond)).toBeLessThan(every + 15 / metresASecond)
    }
  })
})

describe('a random walk', () => {
  it('alternates enters and exits, each between its neighbouring positions', () => {
    const walk = fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 1500 }),
        east: fc.integer({ min: -600, max: 600 }),
        speed: fc.constantFrom(null, 0, 50),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(walk, (steps) => {
        let second = 0
        const { transitions } = go(
          circle(),
          steps.map(({ step, east, speed }) => place((second += step), east, { speed })),
        )
        const turns = transitions
          .filter(({ kind }) => kind === 'enter' || kind === 'exit' || kind === 'insideAtStart')
          .map(({ kind }) => kind === 'exit')
        turns.forEach((isExit, at) => {
          if (at > 0) expect(isExit).toBe(!turns[at - 1])
        })
        expect(turns[0]).not.toBe(true)
        for (const { at, confirmedAt, window } of transitions) {
          expect(at).toBeLessThanOrEqual(confirmedAt)
          if (window) expect(at === window.from || at === window.to).toBe(true)
        }
      }),
    )
  })
})

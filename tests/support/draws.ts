import fc from 'fast-check'

/**
 * The seed of everything that tests draw, fast-check's own draws included: TEST_SEED. `npm test` prints it; it is the
 * same by day, so that a run says the same twice, and another one every night.
 */
export const seed = Number(process.env.TEST_SEED ?? 20_261_121)
// Of themselves its lists stay at about ten elements, whatever maxLength says: faults that need more steps would never be drawn.
fc.configureGlobal({ seed, baseSize: 'medium' })

/** Random choices that can be made again. */
export interface Random {
  next(): number
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<One>(of: readonly One[]): One | undefined
}

export function seededRandom(name: string): Random {
  console.log(`${name}: TEST_SEED=${seed}`)
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    chance: (share) => next() < share,
    pick: (of) => of[Math.floor(next() * of.length)],
  }
}

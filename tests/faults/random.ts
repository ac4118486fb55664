/** Random choices that can be made again: the seed is printed, and FAULT_SEED sets it. */
export interface Random {
  next(): number
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<One>(of: readonly One[]): One | undefined
}

export const isNightly = process.env.TEST_SIZE === 'nightly'

export function seededRandom(name: string): Random {
  const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000_007)
  console.log(`${name}: FAULT_SEED=${seed}`)
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

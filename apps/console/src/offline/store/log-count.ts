import type { Database, Step } from './database.ts'

/** A database that knows how many changes its log holds. */
export interface CountedDatabase extends Database {
  logCount(): Promise<number>
  /** Somebody else wrote: counted anew when next asked for. */
  forgetCount(): void
}

/** Steps that drop changes by their numbers, all of which are in the log: a browser drops a row of numbers at once ten times as fast. */
export function dropChanges(numbers: readonly number[]): Step[] {
  const runs: { from: number; to: number }[] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.to === number - 1) last.to = number
    else runs.push({ from: number, to: number })
  }
  return runs.map(({ from, to }): Step => ({ in: 'log', drop: from === to ? from : IDBKeyRange.bound(from, to) }))
}

/** What steps add to the log. */
function added(steps: readonly Step[]): number {
  let sum = 0
  for (const step of steps) {
    if ('add' in step) sum += 1
    else if ('drop' in step) sum -= step.drop instanceof IDBKeyRange ? Number(step.drop.upper) - Number(step.drop.lower) + 1 : 1
  }
  return sum
}

/**
 * Counts the log once and keeps count of what this tab writes: a browser counts by walking over all of it, and a hundred thousand changes that
 * are sent in batches would be walked over with each. Only changes that were read before, alone, are put or dropped.
 */
export function countLog(db: Database): CountedDatabase {
  let [known, writes]: [number | null, number] = [null, 0]
  const forgetCount = () => {
    known = null
    writes += 1
  }
  return {
    ...db,
    forgetCount,
    logCount: async () => {
      if (known !== null) return known
      const before = writes
      const count = await db.read((open) => open.count('log'))
      // What was written meanwhile may be in it or not.
      if (before === writes) known = count
      return count
    },
    commit: async (steps) => {
      const ofLog = steps.filter((step) => step.in === 'log')
      if (ofLog.length === 0) return db.commit(steps)
      const before = known
      forgetCount()
      const mine = writes
      try {
        await db.commit(steps)
        const isAlone = mine === writes
        forgetCount()
        if (isAlone && before !== null) known = before + added(ofLog)
      } catch (error) {
        forgetCount()
        throw error
      }
    },
  }
}

import { cached, changeCached } from './views-cache.ts'

/** A list of what waits to be sent, oldest first: sealed on the device of people who have an offline store, in memory for others. */
export interface WaitingList<One> {
  now(): Promise<readonly One[]>
  /** Changes the list as it is at that moment; nothing comes between reading and writing it. Gives it as it is then. */
  change(edit: (now: readonly One[]) => readonly One[]): Promise<readonly One[]>
  /** Drops what is in memory alone. */
  forget(): void
}

/** The list of this name, of at most so many; then the oldest are dropped. */
export function makeWaitingList<One extends { Id: string }>(name: string, most: number): WaitingList<One> {
  let inMemory: readonly One[] = []
  const withMemory = (kept: readonly One[]): readonly One[] =>
    inMemory.length === 0 ? kept : [...kept, ...inMemory.filter(({ Id }) => kept.every((one) => one.Id !== Id))]
  return {
    now: async () => withMemory((await cached<One[]>(name)) ?? []),
    change: async (edit) => {
      let moved: readonly One[] = []
      const kept = await changeCached<readonly One[]>(name, (now = []) => {
        moved = inMemory
        return edit(withMemory(now)).slice(-most)
      })
      inMemory = kept ? inMemory.filter((one) => !moved.includes(one)) : edit(inMemory).slice(-most)
      return kept ?? inMemory
    },
    forget: () => {
      inMemory = []
    },
  }
}

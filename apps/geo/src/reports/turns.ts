export interface Turns {
  /** The same rows, once it is their turn. */
  inTurn<Item>(rows: AsyncIterable<Item>): AsyncGenerator<Item>
}

/** So many at a time, the others wait in order: each report holds a connection for as long as its reader takes. */
export function createTurns(most: number): Turns {
  let free = most
  const waiting: (() => void)[] = []
  const take = () => new Promise<void>((done) => {
    if (free > 0) {
      free -= 1
      done()
    } else waiting.push(done)
  })
  const give = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    async *inTurn(rows) {
      await take()
      try {
        yield* rows
      } finally {
        give()
      }
    },
  }
}

export interface Limiter {
  /** The same rows, once a slot is free. */
  inTurn<Item>(rows: AsyncIterable<Item>): AsyncGenerator<Item>
}

/** Limits concurrency; the others wait in order. Each report holds a connection for as long as its reader takes. */
export function createLimiter(most: number): Limiter {
  let free = most
  const waiting: (() => void)[] = []
  const take = () =>
    new Promise<void>((done) => {
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

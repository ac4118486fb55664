/**
 * Reads that many ask for at once are made once for all who wait: whoever asks while one is under way gets the next, which begins after they asked. So nobody is
 * given what was read before their call, and no key is read more than once at a time.
 */
export function sharedReads<Result>(): (key: string, read: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<Result>>()
  const begin = (key: string, read: () => Promise<Result>): Promise<Result> => {
    const result = read()
    const over = result.then(
      () => undefined,
      () => undefined,
    )
    running.set(key, over)
    void over.then(() => running.get(key) === over && running.delete(key))
    return result
  }
  return (key, read) => {
    const before = running.get(key)
    if (!before) return begin(key, read)
    const waiting = next.get(key)
    if (waiting) return waiting
    const result = before.then(() => {
      next.delete(key)
      return begin(key, read)
    })
    next.set(key, result)
    return result
  }
}

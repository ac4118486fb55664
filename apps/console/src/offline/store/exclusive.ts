/** One writer at a time: by Web Lock among tabs, by a chain of promises where there are none. */
export function makeExclusive(name: string): <T>(run: () => Promise<T>) => Promise<T> {
  if (typeof navigator !== 'undefined' && navigator.locks) {
    return async <T>(run: () => Promise<T>): Promise<T> => navigator.locks.request(`write:${name}`, run) as Promise<T>
  }
  let last: Promise<unknown> = Promise.resolve()
  return <T>(run: () => Promise<T>): Promise<T> => {
    const mine = last.then(run, run)
    last = mine.catch(() => undefined)
    return mine
  }
}

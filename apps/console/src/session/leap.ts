type Listener = (leapMs: number) => void

const listeners = new Set<Listener>()
let seen = { at: Date.now(), ticks: performance.now() }

/** Less than this is a clock that is kept right, or a page that was late. */
export const leapMs = 60_000

/** Hears by how much a device's clock went on beyond the time that passed; sleep of the computer looks like a clock that is set ahead. Returns what ends it. */
export function onLeap(listener: Listener): () => void {
  followLeaps()
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells of a leap since the last time. To be called before anything is read off the clock that is compared with what was read before. */
export function followLeaps(): void {
  const now = { at: Date.now(), ticks: performance.now() }
  const leap = now.at - seen.at - (now.ticks - seen.ticks)
  seen = now
  if (Math.abs(leap) > leapMs) for (const hear of listeners) hear(leap)
}

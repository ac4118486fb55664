/** What a device's clock went on by beyond the time that passed, to be asked time and again; sleep of the computer looks like a clock that is set ahead. */
export function watchLeaps(): () => number {
  let seen = { at: Date.now(), ticks: performance.now() }
  return () => {
    const now = { at: Date.now(), ticks: performance.now() }
    const leap = now.at - seen.at - (now.ticks - seen.ticks)
    seen = now
    return leap
  }
}

/** Less than this is a clock that is kept right, or a page that was late. */
export const leapMs = 60_000

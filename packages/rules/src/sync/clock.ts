/** A clock that is off by less is right: people do not notice, and an answer may take as long. */
export const clockToleranceMs = 120_000

/** Times in ms since 1970; a skew is the server's clock minus the device's. */
export interface NotedTime {
  /** By the device's clock. */
  at: number
  /** What the device knew of its clock then: the skew, and when (server's clock) it had last heard of it. */
  known?: { skewMs: number; heardAt: number } | undefined
  /** By the request that brings it, if that says the device's time. */
  sentSkewMs?: number | undefined
  /** By the server's clock. */
  now: number
}

/**
 * When it really was, and the skew by which the device's time was moved; 0 for a clock that was right. What the device knew when it
 * noted the time comes first: the clock may have been mended since, and each try of a request says the same of it. Where that
 * cannot be (it would lie ahead of now, or before the device had last heard of us), the clock was set in between, and counts as it was at the sending.
 */
export function rightTime({ at, known, sentSkewMs, now }: NotedTime): { at: number; skewMs: number } {
  const skews = [known?.skewMs, sentSkewMs].filter((skew) => skew !== undefined)
  const mayBe = (skew: number): boolean =>
    at + skew <= now + clockToleranceMs && (known === undefined || at + skew >= known.heardAt - clockToleranceMs)
  const skewMs = skews.find(mayBe) ?? skews.at(-1) ?? 0
  if (Math.abs(skewMs) <= clockToleranceMs) return { at, skewMs: 0 }
  return { at: Math.min(at + skewMs, now), skewMs }
}

const week = 7 * 24 * 3_600_000
/** The week number of a GPS frame has ten bits: a receiver that knows no better starts again every 1024 weeks. */
const cycle = 1024 * week
/** A device may have buffered for so long before we take its date for one of an earlier cycle. */
const oldest = cycle - 90 * 24 * 3_600_000
const gpsEpoch = Date.UTC(1980, 0, 6)

/**
 * The time (epoch ms) a device meant: dates that lie a whole GPS week cycle back are brought forward, as many cycles as
 * needed, judged by `now`. The GPS epoch itself and what lies before it say "no date yet" and are left as they are.
 */
export function withoutRollover(time: number, now: number): number {
  if (time <= gpsEpoch || now - time <= oldest) return time
  return time + Math.ceil((now - time - oldest) / cycle) * cycle
}

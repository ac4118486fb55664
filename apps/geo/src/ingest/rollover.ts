const week = 7 * 24 * 3_600_000
/** The week number of a GPS frame has ten bits: an outdated receiver starts again every 1024 weeks. */
const cycle = 1024 * week
/** A device may have buffered for this long before its date is taken for one of an earlier cycle. */
const maxBufferedMs = cycle - 90 * 24 * 3_600_000
const gpsEpoch = Date.UTC(1980, 0, 6)

/**
 * The time (epoch ms) a device meant: dates that are a whole GPS week cycle back are moved forward, as many cycles as needed relative to
 * `now`. The GPS epoch and earlier times mean "no date yet" and are left unchanged.
 */
export function withoutRollover(time: number, now: number): number {
  if (time <= gpsEpoch || now - time <= maxBufferedMs) return time
  return time + Math.ceil((now - time - maxBufferedMs) / cycle) * cycle
}

/** A moment of the minute before and after; epoch milliseconds, km/h. */
export interface TracePoint {
  time: number
  latitude: number | null
  longitude: number | null
  speed: number | null
  g: number | null
}

/** A fall of more than this many km/h within this many milliseconds is not braking. */
export const crashDrop = 40
export const crashWithin = 2_000

export interface Impact {
  speedBefore: number | null
  speedDrop: number | null
  g: number | null
}

/** The hardest fall of speed between messages at most five seconds apart, and the strongest shock that the device reported. */
export function impactOf(trace: readonly TracePoint[]): Impact {
  let [speedBefore, speedDrop]: [number | null, number | null] = [null, null]
  trace.forEach(({ time, speed }, index) => {
    if (speed === null) return
    for (const after of trace.slice(index + 1)) {
      if (after.time - time > 5_000) break
      if (after.speed === null || (speedDrop !== null && speed - after.speed <= speedDrop)) continue
      speedBefore = speed
      speedDrop = speed - after.speed
    }
  })
  const shocks = trace.map(({ g }) => g).filter((g) => g !== null)
  return { speedBefore, speedDrop: speedDrop === null ? null : Math.max(0, speedDrop), g: shocks.length === 0 ? null : Math.max(...shocks) }
}

export interface Suspicion {
  time: number
  eventId: string | null
}

/** Merges suspicions within a minute into one incident; a crash reported by the device comes before a guess. */
export function mergeSuspicions<One extends Suspicion>(list: readonly One[]): One[] {
  const sure = list.filter(({ eventId }) => eventId !== null)
  const kept = [...sure]
  for (const guess of list.filter(({ eventId }) => eventId === null)) {
    if (!kept.some(({ time }) => Math.abs(time - guess.time) <= 60_000)) kept.push(guess)
  }
  return kept.toSorted((a, b) => a.time - b.time)
}

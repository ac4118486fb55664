/** What the statuses of activities mean, whatever a company calls them, and which meaning may follow which. */
export const activityMeanings = {
  open: { label: 'To be done', next: ['started', 'done', 'missed', 'cancelled'] },
  started: { label: 'In progress', next: ['open', 'done', 'cancelled'] },
  done: { label: 'Done', next: [] },
  missed: { label: 'Missed', next: ['open', 'cancelled'] },
  cancelled: { label: 'Cancelled', next: ['open'] },
} as const satisfies Record<string, { label: string, next: readonly string[] }>

export type ActivityMeaning = keyof typeof activityMeanings
export const activityMeaningNames = Object.keys(activityMeanings) as ActivityMeaning[]

/** True when work of this meaning is over: nobody has to do anything more. */
export const isFinished = (meaning: ActivityMeaning): boolean => meaning === 'done' || meaning === 'missed' || meaning === 'cancelled'

/** True when work is late: its end (a time in ms) is past and it is not finished. One definition for lists, tiles, My Work and the day overview. */
export const isLate = (meaning: ActivityMeaning, end: number, now: number): boolean => end < now && !isFinished(meaning)

/** True when a status of the one meaning may follow one of the other; two statuses of one meaning may always change places. */
export function mayFollow(from: ActivityMeaning, to: ActivityMeaning): boolean {
  return from === to || (activityMeanings[from].next as readonly ActivityMeaning[]).includes(to)
}

/**
 * What an activity of several agents means as a whole: in progress as soon as one is at it or some have finished and
 * others not; when all have finished done counts before missed, and missed before cancelled. Without agents undefined.
 */
export function overallMeaning(agents: readonly ActivityMeaning[]): ActivityMeaning | undefined {
  if (agents.length === 0) return undefined
  const left = agents.filter((meaning) => !isFinished(meaning))
  if (left.length === 0) return (['done', 'missed', 'cancelled'] as const).find((meaning) => agents.includes(meaning))
  return left.includes('started') || agents.includes('done') ? 'started' : 'open'
}

/** Metres of a visit's circle; outside it a visit is marked, not refused. Without a circle or a distance nothing is known. */
export function isOutside(distance: number | null, radius: number | null): boolean {
  return distance !== null && radius !== null && distance > radius
}

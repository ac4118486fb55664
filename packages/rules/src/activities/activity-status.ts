/** The fixed meanings of activity statuses, whatever a company calls them, and which meaning may follow which. */
export const activityMeanings = {
  open: { label: 'To be done', next: ['started', 'done', 'missed', 'cancelled'] },
  started: { label: 'In progress', next: ['open', 'done', 'cancelled'] },
  done: { label: 'Done', next: [] },
  missed: { label: 'Missed', next: ['open', 'cancelled'] },
  cancelled: { label: 'Cancelled', next: ['open'] },
} as const satisfies Record<string, { label: string; next: readonly string[] }>

export type ActivityMeaning = keyof typeof activityMeanings
export const activityMeaningNames = Object.keys(activityMeanings) as ActivityMeaning[]

/** True when work of this meaning is over and needs no further action. */
export const isFinished = (meaning: ActivityMeaning): boolean => meaning === 'done' || meaning === 'missed' || meaning === 'cancelled'

/**
 * True when work is late: its end (a time in ms) has passed and it is not finished. The only definition, for lists, tiles, My Work and
 * the day overview.
 */
export const isLate = (meaning: ActivityMeaning, end: number, now: number): boolean => end < now && !isFinished(meaning)

/** True when a status of one meaning may follow a status of the other; two statuses of the same meaning may always follow each other. */
export function mayFollow(from: ActivityMeaning, to: ActivityMeaning): boolean {
  return from === to || (activityMeanings[from].next as readonly ActivityMeaning[]).includes(to)
}

/**
 * The meaning of an activity with several agents: in progress as soon as one is working on it or only some have finished; when all have
 * finished, done comes before missed, and missed before cancelled. Undefined without agents.
 */
export function overallMeaning(agents: readonly ActivityMeaning[]): ActivityMeaning | undefined {
  if (agents.length === 0) return undefined
  const left = agents.filter((meaning) => !isFinished(meaning))
  if (left.length === 0) return (['done', 'missed', 'cancelled'] as const).find((meaning) => agents.includes(meaning))
  return left.includes('started') || agents.includes('done') ? 'started' : 'open'
}

/** True when a visit is outside its circle (radius in metres): it is marked, not refused. Unknown without a circle or a distance. */
export function isOutside(distance: number | null, radius: number | null): boolean {
  return distance !== null && radius !== null && distance > radius
}

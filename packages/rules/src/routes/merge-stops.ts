/** A stop as planning names it: an activity in an agent's day. The order of a list is the order of each day. */
export interface MergedStop {
  activityId: string
  userId: string
  day?: string | undefined
  lock?: string | null | undefined
  keepsTime?: boolean | undefined
}

const keyOf = ({ activityId, userId }: MergedStop) => `${activityId} ${userId}`.toLowerCase()
const byKey = <Stop extends MergedStop>(stops: readonly Stop[]) => new Map(stops.map((stop) => [keyOf(stop), stop]))
const isAlike = (one: MergedStop, other: MergedStop) =>
  one.day === other.day && (one.lock ?? null) === (other.lock ?? null) && (one.keepsTime ?? false) === (other.keepsTime ?? false)

/**
 * The stops of a plan that two sides changed: `base` is what the device saw, `mine` what was made of it there, `theirs` what the
 * office has now. What one side took out is out, what one side put in is in. A stop that both have is as the device says where
 * the device changed it, else as the office says. The order is the device's, unless nothing was changed there; what only the
 * office added is behind the others.
 */
export function mergeStops<Stop extends MergedStop>(base: readonly Stop[], mine: readonly Stop[], theirs: readonly Stop[]): Stop[] {
  const [before, office, device] = [byKey(base), byKey(theirs), byKey(mine)]
  if (base.length === mine.length && base.every((stop, place) => isSameStop(stop, mine[place]))) return [...theirs]
  const kept = mine.flatMap((stop) => {
    const [was, now] = [before.get(keyOf(stop)), office.get(keyOf(stop))]
    if (was && !now) return []
    return [was && now && isAlike(was, stop) ? now : stop]
  })
  return [...kept, ...theirs.filter((stop) => !before.has(keyOf(stop)) && !device.has(keyOf(stop)))]
}

const isSameStop = (one: MergedStop, other: MergedStop | undefined): boolean =>
  other !== undefined && keyOf(one) === keyOf(other) && isAlike(one, other)

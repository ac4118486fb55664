export interface Assignee {
  Id: string
  name: string
  open: number
}
export interface Given {
  Id: string
  /** The people who have it open. */ holderIds: readonly string[]
  isOpen: boolean
}

/** Distributes records: everybody gets equally many, and the rest goes to those with the fewest open ones. Deterministic. */
export function distributeEvenly<Record extends Pick<Given, 'Id'>>(
  records: readonly Record[],
  takers: readonly Assignee[],
): { id: string; userId: string }[] {
  const inTurn = [...takers].sort((a, b) => a.open - b.open || a.name.localeCompare(b.name) || a.Id.localeCompare(b.Id))
  return records.flatMap(({ Id }, index) => {
    const taker = inTurn[index % inTurn.length]
    return taker ? [{ id: Id, userId: taker.Id }] : []
  })
}

/** The number of open records per person after the distribution: including what they gain, and what they lose to others. */
export function loadsAfter(
  people: readonly Assignee[],
  records: readonly Given[],
  shares: readonly { id: string; userId: string }[],
): Map<string, number> {
  const loads = new Map(people.map(({ Id, open }) => [Id, open]))
  const takers = new Map(shares.map(({ id, userId }) => [id, userId]))
  const add = (id: string, count: number) => {
    if (loads.has(id)) loads.set(id, (loads.get(id) ?? 0) + count)
  }
  for (const { Id, holderIds, isOpen } of records) {
    const taker = takers.get(Id)
    if (!isOpen || taker === undefined) continue
    for (const holder of holderIds) if (holder !== taker) add(holder, -1)
    if (!holderIds.includes(taker)) add(taker, 1)
  }
  return loads
}

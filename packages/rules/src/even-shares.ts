export interface Taker { Id: string, name: string, open: number }
export interface Given { Id: string, /** Those who have it open. */ holderIds: readonly string[], isOpen: boolean }

/** Who gets which record: all get equally many, and what is left over goes to those who have the fewest open ones. Same input, same shares. */
export function evenShares<Record extends Pick<Given, 'Id'>>(records: readonly Record[], takers: readonly Taker[]): { id: string, userId: string }[] {
  const inTurn = [...takers].sort((a, b) => a.open - b.open || a.name.localeCompare(b.name) || a.Id.localeCompare(b.Id))
  return records.flatMap(({ Id }, index) => {
    const taker = inTurn[index % inTurn.length]
    return taker ? [{ id: Id, userId: taker.Id }] : []
  })
}

/** How many open records each person has once the shares are given: what they get more, and what others take from them less. */
export function loadsAfter(people: readonly Taker[], records: readonly Given[], shares: readonly { id: string, userId: string }[]): Map<string, number> {
  const loads = new Map(people.map(({ Id, open }) => [Id, open]))
  const takers = new Map(shares.map(({ id, userId }) => [id, userId]))
  const add = (id: string, count: number) => { if (loads.has(id)) loads.set(id, (loads.get(id) ?? 0) + count) }
  for (const { Id, holderIds, isOpen } of records) {
    const taker = takers.get(Id)
    if (!isOpen || taker === undefined) continue
    for (const holder of holderIds) if (holder !== taker) add(holder, -1)
    if (!holderIds.includes(taker)) add(taker, 1)
  }
  return loads
}

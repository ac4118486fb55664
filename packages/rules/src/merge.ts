/** How a field behaves when device and server both changed it (sync protocol, conflict policy). */
export type MergeClass = 'threeWay' | 'server' | 'set' | 'higher' | 'ask'

export type FieldMerge =
  | { verdict: 'take', value: unknown }
  | { verdict: 'same' }
  | { verdict: 'conflict', base: unknown, mine: unknown, theirs: unknown }
  | { verdict: 'refuse' }

/** Values compare as the wire writes them: numbers by value, text by characters, missing as null, objects by content. */
export function isSame(a: unknown, b: unknown): boolean {
  const left = a ?? null
  const right = b ?? null
  if (left === right) return true
  if (typeof left === 'number' && typeof right === 'string') return String(left) === right
  if (typeof left === 'string' && typeof right === 'number') return left === String(right)
  return typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right)
}

/**
 * Three-way merge of one field: `old` is what the device saw, `mine` what it wants, `theirs` what the server holds.
 * A value changed to and fro counts as unchanged.
 */
export function mergeField(merge: MergeClass, { old, mine, theirs, isCurrent }: { old: unknown, mine: unknown, theirs: unknown, isCurrent: boolean }): FieldMerge {
  if (merge === 'server') return { verdict: 'refuse' }
  if (isSame(mine, theirs)) return { verdict: 'same' }
  if (merge === 'higher') {
    return Number(mine) > Number(theirs ?? Number.NEGATIVE_INFINITY) ? { verdict: 'take', value: mine } : { verdict: 'conflict', base: old, mine, theirs }
  }
  if (merge === 'ask' && !isCurrent) return { verdict: 'conflict', base: old, mine, theirs }
  if (isCurrent || isSame(old, theirs)) return { verdict: 'take', value: mine }
  return { verdict: 'conflict', base: old, mine, theirs }
}

/** Merge of a set of ids by additions and removals; it commutes, so there is no conflict. */
export function mergeSet(theirs: readonly string[], { add, remove }: { add: readonly string[], remove: readonly string[] }): string[] {
  return [...new Set([...theirs.filter((id) => !remove.includes(id)), ...add])]
}

/** How a field is merged when device and server both changed it (sync protocol, conflict policy). */
export type MergeClass = 'threeWay' | 'server' | 'set' | 'lines' | 'higher' | 'ask' | 'last'

export type FieldMerge =
  | { verdict: 'take'; value: unknown }
  | { verdict: 'same' }
  | { verdict: 'conflict'; base: unknown; mine: unknown; theirs: unknown }
  | { verdict: 'refuse' }

/** Compares values in wire form: numbers by value, text by characters, missing equals null, objects by content. */
export function isSame(a: unknown, b: unknown): boolean {
  const left = a ?? null
  const right = b ?? null
  if (left === right) return true
  if (typeof left === 'number' && typeof right === 'string') return String(left) === right
  if (typeof left === 'string' && typeof right === 'number') return left === String(right)
  return typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right)
}

/**
 * Three-way merge of one field: `old` is what the device read, `mine` its new value, `theirs` the server's value. A value that was
 * changed and changed back counts as unchanged.
 */
export function mergeField(
  merge: MergeClass,
  { old, mine, theirs, isCurrent }: { old: unknown; mine: unknown; theirs: unknown; isCurrent: boolean },
): FieldMerge {
  if (merge === 'server') return { verdict: 'refuse' }
  if (isSame(mine, theirs)) return { verdict: 'same' }
  // Whoever arrives last is right: nobody is asked.
  if (merge === 'last') return { verdict: 'take', value: mine }
  if (merge === 'higher') {
    return Number(mine) > Number(theirs ?? Number.NEGATIVE_INFINITY)
      ? { verdict: 'take', value: mine }
      : { verdict: 'conflict', base: old, mine, theirs }
  }
  if (merge === 'ask' && !isCurrent) return { verdict: 'conflict', base: old, mine, theirs }
  if (isCurrent || isSame(old, theirs)) return { verdict: 'take', value: mine }
  return { verdict: 'conflict', base: old, mine, theirs }
}

/** Merge of a set of ids by additions and removals; it commutes, so there is no conflict. */
export function mergeSet(theirs: readonly string[], { add, remove }: { add: readonly string[]; remove: readonly string[] }): string[] {
  return [...new Set([...theirs.filter((id) => !remove.includes(id)), ...add])]
}

/** Ids of a value that holds ids or records with one. */
export const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map((one: unknown) =>
    typeof one === 'object' && one !== null && 'Id' in one ? String(one.Id) : String(one),
  )

/** A whole list as additions to and removals from the one it came from. */
export function setChange(old: unknown, mine: unknown): { add: string[]; remove: string[] } {
  const [before, after] = [idsIn(old), idsIn(mine)]
  return { add: after.filter((id) => !before.includes(id)), remove: before.filter((id) => !after.includes(id)) }
}

type LineValues = Readonly<Record<string, unknown>>

/**
 * Three-way merge of the lines of a record, line by line and field by field: what only one side changed, added or removed
 * holds. `isConflict` when both changed one field of a line otherwise, or one changed a line that the other removed: then
 * the server's stays, or the device's where that is the `winner`. Lines come in the device's order, those that only the server has behind them.
 */
export function mergeLines(
  old: unknown,
  mine: unknown,
  theirs: unknown,
  winner: 'mine' | 'theirs' = 'theirs',
): { lines: LineValues[]; isConflict: boolean } {
  const [before, own, held] = [linesById(old), linesById(mine), linesById(theirs)]
  let isConflict = false
  const merge = (id: string): LineValues[] => {
    const [base, ours, other] = [before.get(id), own.get(id), held.get(id)]
    if (ours && other) {
      const merged = mergeLine(base ?? other, ours, other, winner)
      isConflict ||= merged.isConflict
      return [merged.line]
    }
    if (ours && !base) return [ours]
    if (other && !base) return [other]
    // One side removed it: that holds unless the other one changed it.
    const isMine = ours !== undefined && base !== undefined && Object.keys(ours).some((key) => !isSame(ours[key], base[key]))
    const isTheirs =
      other !== undefined &&
      base !== undefined &&
      Object.keys(base).some((key) => Object.hasOwn(other, key) && !isSame(other[key], base[key]))
    isConflict ||= isMine || isTheirs
    if (winner === 'mine') return isMine ? [ours] : []
    return isTheirs ? [other] : []
  }
  const added = (Array.isArray(mine) ? (mine as LineValues[]) : []).filter(({ Id }) => Id === undefined)
  const lines = [...new Set([...own.keys(), ...held.keys()])].flatMap(merge)
  return { lines: [...lines, ...added], isConflict }
}

/** True for lists of records that are told apart by their Ids (lines, pairs as they were read); nothing counts as an empty list. */
export const isRecordList = (value: unknown): boolean =>
  (value ?? null) === null ||
  (Array.isArray(value) &&
    value.every((one: unknown) => typeof one === 'object' && one !== null && 'Id' in one && typeof one.Id === 'string'))

const linesById = (lines: unknown): Map<string, LineValues> =>
  new Map(
    (Array.isArray(lines) ? (lines as LineValues[]) : []).flatMap((line) => (typeof line['Id'] === 'string' ? [[line['Id'], line]] : [])),
  )

function mergeLine(
  base: LineValues,
  mine: LineValues,
  theirs: LineValues,
  winner: 'mine' | 'theirs',
): { line: LineValues; isConflict: boolean } {
  const changed = Object.keys(mine).filter((key) => !isSame(mine[key], base[key]) && !isSame(mine[key], theirs[key]))
  const refused = changed.filter((key) => !isSame(theirs[key], base[key]))
  const taken = winner === 'mine' ? changed : changed.filter((key) => !refused.includes(key))
  return { line: { ...theirs, ...Object.fromEntries(taken.map((key) => [key, mine[key]])) }, isConflict: refused.length > 0 }
}

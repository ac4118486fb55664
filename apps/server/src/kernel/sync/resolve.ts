import type { ChangeRecord, FieldConflict, RejectCode } from '@outpost/contract/sync/protocol'
import { idsIn, isSame, mergeField, mergeLines, mergeSet, setChange, type MergeClass } from '@outpost/rules/sync/merge'

/** A row as the wire writes it, with the columns that every synced table has. */
export interface WireRow extends Record<string, unknown> {
  Id: string
  tenantId: string
  version: number
  isDeleted?: boolean
}

export type MergeResult =
  | { verdict: 'insert'; values: Record<string, unknown> }
  | { verdict: 'update'; values: Record<string, unknown>; conflicts: FieldConflict[] }
  | { verdict: 'remove' }
  /** Nothing to write, yet final: both sides want the same, or the row is gone already. */
  | { verdict: 'nothing'; conflicts: FieldConflict[] }
  | { verdict: 'reject'; code: RejectCode; message: string }

/** How each field of the entity merges; a field that is not named may not be changed by a device. */
export type MergeClasses = ReadonlyMap<string, MergeClass>

/**
 * The verdict on one change against the stored row (sync protocol, conflict policy). Pure: rules that need
 * the database (duplicates, transitions) follow in push.ts on what this lets through.
 */
export function resolveChange(change: ChangeRecord, row: WireRow | undefined, classes: MergeClasses): MergeResult {
  switch (change.changeType) {
    case 'INSERT':
    case 'CREATE':
      return mergeInsert(change, row, classes)
    case 'UPDATE':
      return mergeUpdate(change, row, classes)
    case 'DELETE':
      return mergeDelete(change, row)
  }
}

function mergeInsert(change: ChangeRecord, row: WireRow | undefined, classes: MergeClasses): MergeResult {
  if (row && isSameRecord(change.snapshot ?? {}, row, classes)) return { verdict: 'nothing', conflicts: [] }
  if (row) return { verdict: 'reject', code: 'VALIDATION', message: 'A record with this id exists already.' }
  if (!change.snapshot) return { verdict: 'reject', code: 'VALIDATION', message: 'snapshot: an INSERT carries the whole record.' }
  return { verdict: 'insert', values: change.snapshot }
}

/** The record was created by a call whose answer the device never saw: it comes again as its own INSERT. */
function isSameRecord(snapshot: Record<string, unknown>, row: WireRow, classes: MergeClasses): boolean {
  const said = Object.entries(snapshot).filter(
    ([field, value]) => !['server', 'set'].includes(classes.get(field) ?? 'server') && value !== null && value !== '',
  )
  return (
    !row.isDeleted &&
    said.length > 0 &&
    said.every(([field, value]) => (classes.get(field) === 'lines' ? isSameLines(value, row[field]) : isSame(value, row[field])))
  )
}

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? (value as Record<string, unknown>[]) : [])

/** The row's lines hold what was said of them: by their ids, and without ids as many. */
function isSameLines(said: unknown, held: unknown): boolean {
  const [given, lines] = [listOf(said), listOf(held)]
  if (given.length !== lines.length) return false
  return given.every((line) => {
    const own = line['Id'] === undefined ? line : lines.find(({ Id }) => Id === line['Id'])
    return own !== undefined && Object.entries(line).every(([key, value]) => (value ?? '') === '' || isSame(value, own[key]))
  })
}

function mergeUpdate(change: ChangeRecord, row: WireRow | undefined, classes: MergeClasses): MergeResult {
  if (!row || row.isDeleted) return { verdict: 'reject', code: 'GONE', message: 'The record was removed meanwhile.' }
  const unknown = Object.keys(change.patch).find((field) => !classes.has(field))
  if (unknown) return { verdict: 'reject', code: 'VALIDATION', message: `${unknown}: this field cannot be changed offline.` }
  const values: Record<string, unknown> = {}
  const conflicts: FieldConflict[] = []
  for (const [field, patch] of Object.entries(change.patch)) {
    const merge = classes.get(field) ?? 'server'
    if (!Array.isArray(patch) || merge === 'set') {
      const merged = mergeSet(idsIn(row[field]), Array.isArray(patch) ? setChange(...patch) : patch)
      if (!isSame(merged, idsIn(row[field]))) values[field] = merged
      continue
    }
    const [old, mine] = patch
    if (merge === 'lines') {
      const { lines, isConflict } = change.version === row.version ? { lines: mine, isConflict: false } : mergeLines(old, mine, row[field])
      if (!isSame(lines, row[field])) values[field] = lines
      if (isConflict) conflicts.push({ field, base: old, mine, theirs: lines })
      continue
    }
    const result = mergeField(merge, { old, mine, theirs: row[field], isCurrent: change.version === row.version })
    if (result.verdict === 'refuse') return { verdict: 'reject', code: 'FORBIDDEN', message: `${field}: only the office changes this.` }
    if (result.verdict === 'take') values[field] = result.value
    if (result.verdict === 'conflict') conflicts.push({ field, base: result.base, mine: result.mine, theirs: result.theirs })
  }
  return Object.keys(values).length > 0 ? { verdict: 'update', values, conflicts } : { verdict: 'nothing', conflicts }
}

function mergeDelete(change: ChangeRecord, row: WireRow | undefined): MergeResult {
  if (!row || row.isDeleted) return { verdict: 'nothing', conflicts: [] }
  if (row.version !== change.version) {
    return { verdict: 'reject', code: 'STALE_DELETE', message: 'Others changed this record since you saw it. Confirm while online.' }
  }
  return { verdict: 'remove' }
}

import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { isRecordList, isSame, mergeLines } from '@outpost/rules/sync/merge'
import type { Row } from '../../data/records.ts'
import { isCall, isWholeCall } from '../kinds.ts'
import { applyPatch } from './rebase.ts'
import type { Change } from './shapes.ts'

export type Patch = ChangeRecord['patch']

/** Kept by the server itself; a form may carry them along, a change never does. */
const serverFields = new Set(['Id', 'id', 'version', 'tenantId', 'dateCreated', 'dateModified'])

/** True of a change that is a call to be made later: it is sent alone and unchanged, for each is an event of its own. */
export const isCommand = ({ patch }: Pick<ChangeRecord, 'patch'>): boolean => Object.keys(patch).some(isCall)

/** Lines hold more when they were read than when they are entered: what is entered must be the same. */
const isUnchanged = (before: unknown, value: unknown): boolean =>
  isSame(before, value) ||
  (Array.isArray(before) &&
    Array.isArray(value) &&
    [before, value].every(isRecordList) &&
    isSame(mergeLines(before, value, before).lines, before))

/** [old, new] of each field that really changes; fields that start with _ are the screen's own and never travel. */
export function diff(before: Row, after: Row): Patch {
  const patch: Patch = {}
  for (const [field, value] of Object.entries(after)) {
    if (field.startsWith('_') || serverFields.has(field) || isUnchanged(before[field], value)) continue
    patch[field] = [before[field] ?? null, value ?? null]
  }
  return patch
}

/** Two patches of one entity as one: first old, last new; a field that came back to its old value is dropped. */
export function joinPatches(first: Patch, second: Patch): Patch {
  const joined: Patch = { ...first }
  for (const [field, change] of Object.entries(second)) {
    const before = joined[field]
    if (!before) joined[field] = change
    else if (Array.isArray(before) && Array.isArray(change)) joined[field] = [before[0], change[1]]
    else if (!Array.isArray(before) && !Array.isArray(change)) joined[field] = joinSets(before, change)
  }
  return Object.fromEntries(Object.entries(joined).filter(([, change]) => !Array.isArray(change) || !isSame(change[0], change[1])))
}

interface SetChange {
  add: string[]
  remove: string[]
}
const joinSets = (first: SetChange, second: SetChange): SetChange => ({
  add: [...new Set([...first.add.filter((id) => !second.remove.includes(id)), ...second.add])],
  remove: [...new Set([...first.remove.filter((id) => !second.add.includes(id)), ...second.remove])],
})

/** What appending a change comes to, given the changes of the entity that are not sent yet. */
export type Appended =
  | { kind: 'add' }
  /** The last unsent change takes the new one in. */
  | { kind: 'join'; into: Change; patch: Patch; snapshot?: Row }
  /** Both cancel out: rows to drop. */
  | { kind: 'cancel'; drop: Change[] }

/** A call that says how things are to be, in the place of the one before: it is changed from what that one was. */
function joinWhole(last: Change, next: Pick<ChangeRecord, 'patch'>): Appended | null {
  const [field = ''] = Object.keys(next.patch)
  const [before, after] = [last.patch[field], next.patch[field]]
  if (!isWholeCall(field) || !Array.isArray(before) || !Array.isArray(after)) return null
  const { base } = before[1] as { base?: unknown }
  return { kind: 'join', into: last, patch: { [field]: [before[0], { ...(after[1] as object), base }] } }
}

/** Squashes only what never left the device: a change that may have been sent is immutable. */
export function squash(pending: readonly Change[], next: Pick<ChangeRecord, 'changeType' | 'patch'>): Appended {
  const last = pending.at(-1)
  if (!last || last.sent === 1) return { kind: 'add' }
  if (isCommand(last) || isCommand(next)) return joinWhole(last, next) ?? { kind: 'add' }
  if (next.changeType === 'UPDATE' && last.changeType === 'UPDATE') {
    const patch = joinPatches(last.patch, next.patch)
    return Object.keys(patch).length === 0 ? { kind: 'cancel', drop: [last] } : { kind: 'join', into: last, patch }
  }
  if (next.changeType === 'UPDATE' && last.snapshot && last.changeType !== 'DELETE') {
    return { kind: 'join', into: last, patch: last.patch, snapshot: applyPatch(last.snapshot, next.patch) }
  }
  const isNeverSent = pending.every((change) => change.sent === 0)
  const startsHere = pending[0]?.changeType === 'INSERT' || pending[0]?.changeType === 'CREATE'
  if (next.changeType === 'DELETE' && isNeverSent && startsHere) return { kind: 'cancel', drop: [...pending] }
  return { kind: 'add' }
}

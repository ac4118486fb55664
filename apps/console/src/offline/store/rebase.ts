import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { isRecordList, mergeLines, mergeSet } from '@outpost/rules/sync/merge'
import type { Row } from '../../data/records.ts'

type Pending = Pick<ChangeRecord, 'changeType' | 'patch' | 'snapshot'>

const isSetChange = (value: ChangeRecord['patch'][string]): value is { add: string[]; remove: string[] } => !Array.isArray(value)

const areLines = (change: readonly [unknown, unknown]): boolean => change.some(Array.isArray) && change.every(isRecordList)

/** Lays one patch over a record; lists of records line by line, so that what others did to other lines stays. */
export function applyPatch(record: Row, patch: ChangeRecord['patch']): Row {
  const next: Row = { ...record }
  for (const [field, change] of Object.entries(patch)) {
    if (isSetChange(change)) next[field] = mergeSet(Array.isArray(record[field]) ? record[field].map(String) : [], change)
    else next[field] = areLines(change) ? mergeLines(change[0], change[1], record[field], 'mine').lines : change[1]
  }
  return next
}

/**
 * What the screen shows: the server's copy with the unsent changes laid over it in their order; null when the entity
 * is gone. An INSERT that the server already holds (its answer was lost) adds nothing.
 */
export function rebase(server: Row | null, pending: readonly Pending[]): Row | null {
  let value = server
  for (const change of pending) {
    if (change.changeType === 'DELETE') value = null
    else if (change.changeType === 'UPDATE') value = value && applyPatch(value, change.patch)
    else value ??= { ...change.snapshot }
  }
  return value
}

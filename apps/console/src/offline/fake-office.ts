import type { ChangeRecord, PullAnswer, PullChange, PushResult } from '@outpost/contract/sync/protocol'
import type { Row } from '../data/records.ts'
import { applyPatch } from './store/rebase.ts'

/** `hasMoved`: it left one tenant of the reach for another, which leaves gone and put under one number. */
interface Held {
  row: Row
  version: number
  seq: number
  isGone: boolean
  hasMoved?: boolean
}

interface Books {
  held: Map<string, Held>
  seq: number
  /** Rises with each restore. */ history: number
}

function write(books: Books, id: string, row: Row, isGone = false): Held {
  const version = (books.held.get(id)?.version ?? 0) + 1
  const next: Held = { row: { ...row, Id: id, version }, version, seq: ++books.seq, isGone }
  books.held.set(id, next)
  return next
}

function insert(books: Books, { changeId, entityId, snapshot = {} }: ChangeRecord): PushResult {
  const { phonenumber } = snapshot
  const twin = [...books.held].find(([id, other]) => id !== entityId && !other.isGone && other.row.phonenumber === phonenumber)
  const same = phonenumber ? twin : undefined
  if (same)
    return {
      changeId,
      status: 'rejected',
      code: 'DUPLICATE_LEAD',
      message: 'Unable to create lead, lead already exists.',
      existingId: same[0],
    }
  const now = books.held.get(entityId)
  if (now) return { changeId, status: 'rejected', code: 'VALIDATION', message: 'A record with this id exists already.', fields: now.row }
  const { row: fields, version, seq } = write(books, entityId, snapshot)
  return { changeId, status: 'applied', version, seq, fields }
}

function update(books: Books, { changeId, entityId, patch, version: seen }: ChangeRecord): PushResult {
  const now = books.held.get(entityId)
  if (!now || now.isGone) return { changeId, status: 'rejected', code: 'GONE', message: 'The record was removed meanwhile.' }
  const conflicts = Object.entries(patch).flatMap(([field, pair]) => {
    const theirs = now.row[field] ?? null
    if (!Array.isArray(pair) || seen === now.version || theirs === (pair[0] ?? null) || theirs === pair[1]) return []
    return [{ field, base: pair[0], mine: pair[1], theirs }]
  })
  const refused = new Set(conflicts.map((conflict) => conflict.field))
  const taken = Object.fromEntries(Object.entries(patch).filter(([field]) => !refused.has(field)))
  const { row: fields, version, seq } = write(books, entityId, applyPatch(now.row, taken))
  return { changeId, status: conflicts.length > 0 ? 'merged' : 'applied', version, seq, fields, conflicts }
}

function decide(books: Books, change: ChangeRecord): PushResult {
  if (change.changeType === 'UPDATE') return update(books, change)
  if (change.changeType !== 'DELETE') return insert(books, change)
  const now = books.held.get(change.entityId)
  const version = now && !now.isGone ? write(books, change.entityId, now.row, true).version : (now?.version ?? 0)
  return { changeId: change.changeId, status: 'applied', version }
}

function page({ held, history }: Books, cursor: string | null, { scope, pageSize }: { scope: number; pageSize: number }): PullAnswer {
  const [ofScope, from, ofHistory] = (cursor ?? `${scope}:0:${history}`).split(':').map(Number) as [number, number, number]
  const serverNow = new Date(0).toISOString()
  if (ofScope !== scope || ofHistory !== history)
    return { changes: [], cursor: `${scope}:0:${history}`, more: true, serverNow, reset: ofScope === scope ? 'age' : 'scope' }
  const later = [...held.entries()].filter(([, one]) => one.seq > from).toSorted(([, a], [, b]) => a.seq - b.seq)
  const rows = later.slice(0, pageSize)
  return {
    changes: rows.flatMap(([id, one]): PullChange[] => {
      const change = { t: 'lead', id, seq: one.seq, version: one.version }
      const gone: PullChange = { ...change, op: 'gone', version: 0 }
      if (one.isGone) return [gone]
      // The worse of the two orders.
      return [{ ...change, op: 'put', data: one.row }, ...(one.hasMoved ? [gone] : [])]
    }),
    cursor: `${scope}:${rows.at(-1)?.[1].seq ?? from}:${history}`,
    more: later.length > pageSize,
    serverNow,
  }
}

/** A small server in memory with receipts, one counter and three-way merge: the protocol the device's tests speak to. */
export function makeOffice({ pageSize = 3 }: { pageSize?: number } = {}) {
  const books: Books = { held: new Map(), seq: 0, history: 0 }
  const receipts = new Map<string, PushResult>()
  /** How often each change had an effect: more than once is the fault the tests look for. */
  const effects = new Map<string, number>()
  /** Entities the server fails on, as a poisoned row would. */
  const poisoned = new Set<string>()
  let scope = 1

  function take(change: ChangeRecord): PushResult {
    const { changeId } = change
    const known = receipts.get(changeId)
    if (known) return { ...known, status: 'duplicate', first: known.status as 'applied' | 'merged' | 'rejected' }
    if (poisoned.has(change.entityId)) return { changeId, status: 'error', message: 'Unkown Error.' }
    if (change.deps.some((id) => !books.held.has(id))) return { changeId, status: 'waiting' }
    const result = decide(books, change)
    receipts.set(changeId, result)
    if (result.status !== 'rejected') effects.set(changeId, (effects.get(changeId) ?? 0) + 1)
    return result
  }

  return {
    effects,
    poisoned,
    rows: () => [...books.held.values()].filter((one) => !one.isGone).map((one) => one.row),
    row: (id: string) => (books.held.get(id)?.isGone ? undefined : books.held.get(id)?.row),
    /** Somebody in the office changes a record. */
    edit: (id: string, values: Row) => {
      const now = books.held.get(id)
      if (now && !now.isGone) write(books, id, { ...now.row, ...values })
    },
    /** The record goes to another tenant of the same reach. */
    move: (id: string) => {
      const now = books.held.get(id)
      if (now && !now.isGone) write(books, id, now.row).hasMoved = true
    },
    /** The server's disk is set back to how it was when this was called; the history goes on from there. */
    backup: () => {
      const [kept, seq, done] = [structuredClone(books.held), books.seq, structuredClone(receipts)]
      return () => {
        Object.assign(books, { held: kept, seq, history: books.history + 1 })
        receipts.clear()
        for (const [id, result] of done) receipts.set(id, result)
      }
    },
    add: (id: string, values: Row) => write(books, id, values),
    /** Cursors of before are answered with reset. */
    changeScope: () => {
      scope += 1
    },
    push: (changes: readonly ChangeRecord[]) => changes.map(take),
    pull: (cursor: string | null) => page(books, cursor, { scope, pageSize }),
  }
}
export type Office = ReturnType<typeof makeOffice>

import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { describe, expect, it } from 'vitest'
import { resolveChange, type MergeClasses, type WireRow } from './resolve.ts'

const classes: MergeClasses = new Map(
  Object.entries({ firstName: 'threeWay', city: 'threeWay', consentStatus: 'server', clients: 'set', idNumber: 'ask' } as const),
)
const row: WireRow = { Id: 'r', tenantId: 't', version: 3, firstName: 'Ann', city: 'Nairobi', clients: ['a', 'b'], idNumber: '1' }
const change = (over: Partial<ChangeRecord>): ChangeRecord => ({
  clientSeq: 1,
  changeId: 'c',
  schema: 1,
  deviceId: 'd',
  tenantId: 't',
  userId: 'u',
  version: 2,
  entityId: 'r',
  entityType: 'lead',
  dateModified: '2026-11-21T08:00:00Z',
  changeType: 'UPDATE',
  patch: {},
  deps: [],
  ...over,
})

describe('verdict on a change', () => {
  it('keeps edits of different fields by two devices', () => {
    expect(resolveChange(change({ patch: { city: ['Nairobi', 'Thika'] } }), { ...row, firstName: 'Anna' }, classes)).toEqual({
      verdict: 'update',
      values: { city: 'Thika' },
      conflicts: [],
    })
  })

  it('keeps the server value of a field both changed, with all three values', () => {
    expect(resolveChange(change({ patch: { firstName: ['Ann', 'Annie'] } }), { ...row, firstName: 'Anna' }, classes)).toEqual({
      verdict: 'nothing',
      conflicts: [{ field: 'firstName', base: 'Ann', mine: 'Annie', theirs: 'Anna' }],
    })
  })

  it('takes the rest of a change whose one field conflicts', () => {
    const verdict = resolveChange(
      change({ patch: { firstName: ['Ann', 'Annie'], city: ['Nairobi', 'Thika'] } }),
      { ...row, firstName: 'Anna' },
      classes,
    )
    expect(verdict).toMatchObject({ verdict: 'update', values: { city: 'Thika' }, conflicts: [{ field: 'firstName' }] })
  })

  it('merges sets by additions and removals', () => {
    expect(resolveChange(change({ patch: { clients: { add: ['c'], remove: ['a'] } } }), row, classes)).toEqual({
      verdict: 'update',
      values: { clients: ['b', 'c'] },
      conflicts: [],
    })
  })

  it.each([
    ['an edit of a removed row', { patch: { city: ['Nairobi', 'Thika'] } }, { ...row, isDeleted: true }, 'GONE'],
    ['an edit of a row that is not there', { patch: { city: ['Nairobi', 'Thika'] } }, undefined, 'GONE'],
    ['a field of the office', { patch: { consentStatus: ['NONE PROVIDED', 'GRANTED'] } }, row, 'FORBIDDEN'],
    ['a field nobody knows', { patch: { companyId: ['a', 'b'] } }, row, 'VALIDATION'],
    ['an insert without its record', { changeType: 'INSERT' }, undefined, 'VALIDATION'],
    ['an insert over a row', { changeType: 'CREATE', snapshot: {} }, row, 'VALIDATION'],
    ['a removal of what others changed', { changeType: 'DELETE', version: 2 }, row, 'STALE_DELETE'],
  ] as [string, Partial<ChangeRecord>, WireRow | undefined, string][])('refuses %s', (_, over, held, code) => {
    expect(resolveChange(change(over), held, classes)).toMatchObject({ verdict: 'reject', code })
  })

  it('is content with an insert of the very record that is there: a call’s answer was lost', () => {
    const snapshot = { firstName: 'Ann', city: 'Nairobi', consentStatus: 'NONE PROVIDED' }
    expect(resolveChange(change({ changeType: 'INSERT', version: 0, snapshot }), row, classes)).toEqual({
      verdict: 'nothing',
      conflicts: [],
    })
    expect(
      resolveChange(change({ changeType: 'INSERT', version: 0, snapshot: { ...snapshot, city: 'Thika' } }), row, classes),
    ).toMatchObject({ code: 'VALIDATION' })
  })

  it('knows a record with lines again by them, whatever else the server holds of each', () => {
    const withLines: MergeClasses = new Map([...classes, ['lines', 'lines']])
    const held = { ...row, lines: [{ Id: 'x', amount: 5, accountLabel: 'Cash' }] }
    const verdictOf = (lines: object[]) =>
      resolveChange(change({ changeType: 'INSERT', version: 0, snapshot: { firstName: 'Ann', lines } }), held, withLines).verdict
    expect([[{ Id: 'x', amount: 5 }], [{ amount: 5 }], [{ Id: 'x', amount: 6 }], [], [{ Id: 'y', amount: 5 }]].map(verdictOf)).toEqual([
      'nothing',
      'nothing',
      'reject',
      'reject',
      'reject',
    ])
  })

  it('removes what it saw, and is content when it is gone already', () => {
    expect(resolveChange(change({ changeType: 'DELETE', version: 3 }), row, classes)).toEqual({ verdict: 'remove' })
    expect(resolveChange(change({ changeType: 'DELETE', version: 3 }), undefined, classes)).toEqual({ verdict: 'nothing', conflicts: [] })
  })
})

import { describe, expect, it } from 'vitest'
import { mergeField, mergeLines, mergeSet, setChange } from './merge.ts'

const field = (old: unknown, mine: unknown, theirs: unknown, isCurrent = false) => ({ old, mine, theirs, isCurrent })

describe('merge of one field', () => {
  it('takes mine when the server still has what I saw', () =>
    expect(mergeField('threeWay', field('a', 'b', 'a'))).toEqual({ verdict: 'take', value: 'b' }))
  it('is nothing when both want the same', () => expect(mergeField('threeWay', field('a', 'b', 'b'))).toEqual({ verdict: 'same' }))
  it('keeps three values of a conflict', () =>
    expect(mergeField('threeWay', field('a', 'b', 'c'))).toEqual({ verdict: 'conflict', base: 'a', mine: 'b', theirs: 'c' }))
  it('takes mine at the version I saw, whatever old says', () =>
    expect(mergeField('threeWay', field('x', 'b', 'c', true))).toEqual({ verdict: 'take', value: 'b' }))
  it('counts missing and null as equal', () =>
    expect(mergeField('threeWay', field(undefined, 'b', null))).toEqual({ verdict: 'take', value: 'b' }))
  it('never takes a server-owned field', () => expect(mergeField('server', field('a', 'b', 'a', true))).toEqual({ verdict: 'refuse' }))
  it('takes the higher reading and shows a lower one', () => {
    expect(mergeField('higher', field(10, 30, 20)).verdict).toBe('take')
    expect(mergeField('higher', field(10, 15, 20)).verdict).toBe('conflict')
  })
  it('takes what arrives last where nobody is to be asked', () => {
    expect(mergeField('last', field('a', 'b', 'c'))).toEqual({ verdict: 'take', value: 'b' })
    expect(mergeField('last', field('a', 'c', 'c')).verdict).toBe('same')
  })
  it('asks a person whenever somebody else wrote', () => expect(mergeField('ask', field('a', 'b', 'a')).verdict).toBe('conflict'))
})

it('merges sets so that the order of devices does not matter', () => {
  const first = mergeSet(mergeSet(['a', 'b'], { add: ['c'], remove: ['a'] }), { add: ['d'], remove: [] })
  const second = mergeSet(mergeSet(['a', 'b'], { add: ['d'], remove: [] }), { add: ['c'], remove: ['a'] })
  expect(first.toSorted()).toEqual(second.toSorted())
})

describe('merge of lines', () => {
  const line = (Id: string, amount: number, note: string | null = null) => ({ Id, amount, note })
  const merged = (old: object[], mine: object[], theirs: object[]) => mergeLines(old, mine, theirs)
  const base = [line('a', 1), line('b', 2)]
  it('holds what either side changed, added and removed', () => {
    expect(merged(base, [line('a', 5), line('c', 3)], [line('a', 1, 'x'), line('b', 2), line('d', 4)])).toEqual({
      lines: [line('a', 5, 'x'), line('c', 3), line('d', 4)],
      isConflict: false,
    })
    expect(merged(base, [...base, { amount: 9 }], [line('a', 1)])).toEqual({ lines: [line('a', 1), { amount: 9 }], isConflict: false })
  })
  it("is a conflict where both changed one field, and the server's stays", () => {
    expect(merged(base, [line('a', 5), line('b', 2)], [line('a', 7), line('b', 2)])).toEqual({
      lines: [line('a', 7), line('b', 2)],
      isConflict: true,
    })
    expect(merged(base, [line('a', 5), line('b', 2)], [line('a', 5), line('b', 2)])).toEqual({
      lines: [line('a', 5), line('b', 2)],
      isConflict: false,
    })
  })
  it("is a conflict where one side changed what the other removed, and the server's stays", () => {
    expect(merged(base, [line('a', 5), line('b', 2)], [line('b', 2)])).toEqual({ lines: [line('b', 2)], isConflict: true })
    expect(merged(base, [line('b', 2)], [line('a', 5), line('b', 2)])).toEqual({ lines: [line('b', 2), line('a', 5)], isConflict: true })
  })
  it("keeps the device's where that is asked for", () => {
    const kept = (mine: object[], theirs: object[]) => mergeLines(base, mine, theirs, 'mine').lines
    expect(kept([line('a', 5), line('b', 2)], [line('a', 7, 'x'), line('b', 2)])).toEqual([line('a', 5, 'x'), line('b', 2)])
    expect(kept([line('a', 5), line('b', 2)], [line('b', 2)])).toEqual([line('a', 5), line('b', 2)])
    expect(kept([line('b', 2)], [line('a', 5), line('b', 2)])).toEqual([line('b', 2)])
    expect(kept(base, [line('b', 2)])).toEqual([line('b', 2)])
  })
  it('reads a whole list of a set as what came and went', () => {
    expect(setChange([{ Id: 'a' }, 'b'], ['b', { Id: 'c' }])).toEqual({ add: ['c'], remove: ['a'] })
  })
})
